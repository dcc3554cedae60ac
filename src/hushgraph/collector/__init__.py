"""The collector: a service that takes reports of devices over HTTP and keeps them.

It never sees what people hold: what arrives was randomised on their devices. It needs numpy and the
packages of ``hushgraph[collector]``, and no torch.
"""
