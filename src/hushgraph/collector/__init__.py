"""Reports, taken over HTTP and kept: the collector.

It never sees what people hold: what arrives was randomised on their devices. It needs numpy and the
packages of ``hushgraph[collector]``, and no torch.
"""
