# The README's two commands: `make demo` and `make test`. Each sets up what it needs under .venv.

PYTHON ?= python3
VENV := .venv
PORT ?= 8765
BIN := $(VENV)/bin
REPRODUCE := $(BIN)/hushgraph reproduce
# Pins what was tested; pyproject.toml states the ranges that suit users.
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt
# Tests start many processes, which need not compile what the first has read.
export PYTHONDONTWRITEBYTECODE :=
# A worker for each of two cores, and a thread for each worker: more would only wait for each other.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses 2 --dist worksteal --quiet

.PHONY: demo campaign test quick coverage planted house bench results pages reports tune tune-solitude clean

demo: $(VENV)/installed
	$(BIN)/hushgraph demo --output demo

# A collector with a sample campaign, and 10,000 devices that answer it over HTTP; a model learns from what arrived.
campaign: $(VENV)/installed
	@$(BIN)/hushgraph collector serve --sample --folder campaign --port $(PORT) > campaign.log 2>&1 & server=$$!; \
	trap "kill $$server; wait $$server 2> /dev/null" EXIT; \
	$(BIN)/hushgraph collector rehearse --folder campaign --server http://127.0.0.1:$(PORT) && \
	echo "The log is campaign.log; for the pages: $(BIN)/hushgraph collector serve --sample --folder campaign"

# mypy has one core's work: it goes on beside the tests, and both must pass.
test: $(VENV)/installed-for-development
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo
	$(BIN)/mypy & typed=$$!; $(PYTEST); tested=$$?; wait $$typed && exit $$tested

# An answer within a minute, for while one works; what it leaves out, `make test` runs.
quick: $(VENV)/installed-for-development
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(PYTEST) -m "not slow"

# Lines and branches of src that no test of this process runs; the whole suite, and slower than `make test`.
coverage: $(VENV)/installed-for-development
	$(PYTEST) --cov --cov-report=term

# Bugs that break a promise, planted one by one: each must be caught. `make test` plants a few of them.
planted: $(VENV)/installed-for-development
	$(BIN)/python -m tests.planted

# The picture of the rooms and who imports whom, from the code and the contract in pyproject.toml.
house: $(VENV)/installed-for-development
	$(BIN)/python docs/house.py

bench: $(VENV)/installed-for-development
	$(BIN)/python benchmarks/run.py --output docs/results/bench.json
	$(BIN)/python benchmarks/calibration.py --output docs/results/calibration.json
	$(BIN)/python benchmarks/curator.py --output docs/results/curator.json
	$(BIN)/python benchmarks/noise.py --output docs/results/noise.json
	$(BIN)/python benchmarks/collector.py --seconds 10 --output docs/results/collector.json
	$(BIN)/python benchmarks/cascade.py --output docs/results/cascade.json
	$(BIN)/python benchmarks/cascade_graphs.py --output docs/results/cascade-graphs.json
	$(BIN)/python benchmarks/million.py --method cascade > docs/results/cascade-million.json
	$(BIN)/python benchmarks/ballots.py --output docs/results/ballots.json
	$(BIN)/python benchmarks/attacks.py --output docs/results/attacks.json
	$(BIN)/python benchmarks/local_attacks.py --output docs/results/local-attacks.json
	$(BIN)/python benchmarks/planner.py --output docs/results/planner.json
	$(BIN)/python benchmarks/audit_power.py --output docs/results/audit-power.json
	$(BIN)/python -m docs.pages

results: $(VENV)/installed-for-development
	$(BIN)/hushgraph demo --output docs/results/demo
	$(REPRODUCE) lpgnn/table2 lpgnn/table3 lpgnn/table4 --datasets cora,pubmed,facebook --output docs/results/lpgnn
	$(REPRODUCE) lpgnn/figure3 --datasets cora,pubmed --output docs/results/lpgnn
	$(REPRODUCE) lpgnn/figure3 --datasets facebook --methods sage --output docs/results/lpgnn-facebook
	$(REPRODUCE) lpgnn/figure4 --datasets cora,facebook --output docs/results/lpgnn
	$(REPRODUCE) choices --output docs/results/lpgnn
	$(REPRODUCE) lpgnn choices --finished-only --output docs/results/lpgnn
	$(REPRODUCE) choices/exact-noise --output docs/results/exact-noise
	$(BIN)/python benchmarks/levels.py --output docs/results/levels.json
	$(REPRODUCE) slides --repeats 3 --output docs/results/slides
	$(REPRODUCE) solitude/table3 --repeats 15 --output docs/results/solitude
	$(REPRODUCE) solitude/figure4 solitude/figure5 solitude/calibration --repeats 5 --output docs/results/solitude-figures
	$(REPRODUCE) solitude/small-budgets --output docs/results/solitude-figures
	$(REPRODUCE) lpgnn/table2 lpgnn/table3 lpgnn/table4 --datasets cora,pubmed,facebook --controls-only \
	    --output docs/results/lpgnn-controls
	$(REPRODUCE) slides/micro-f1 --repeats 3 --controls-only --output docs/results/slides-controls
	$(REPRODUCE) solitude/table3 --repeats 3 --controls-only --output docs/results/solitude-controls
	$(REPRODUCE) solitude/small-budgets --repeats 3 --controls-only --output docs/results/solitude-figures-controls
	$(REPRODUCE) solitude/noisy-labels --no-controls --output docs/results/solitude-noisy-labels
	$(REPRODUCE) nip-gnn/table1 nip-gnn/table2 nip-gnn/table3 --output docs/results/nip-gnn
	$(REPRODUCE) nip-gnn/table1 --datasets cora,citeseer --output docs/results/nip-gnn-cap
	$(REPRODUCE) nip-gnn/figure1 nip-gnn/figure2 nip-gnn/edges --datasets cora,citeseer --repeats 3 \
	    --output docs/results/nip-gnn-figures
	$(REPRODUCE) nip-gnn/ballots --methods ballots --output docs/results/nip-gnn-ballots
	$(REPRODUCE) nip-gnn/ballots --methods dp-mlp,dp-sage,dpdgc,gap --datasets cora,citeseer --no-controls \
	    --output docs/results/nip-gnn-ballots
	$(REPRODUCE) nip-gnn/ballots --methods dp-mlp,dp-sage,dpdgc,gap --datasets facebook --no-controls \
	    --output docs/results/nip-gnn-ballots-facebook
	$(REPRODUCE) nip-gnn/ballots-edges --datasets cora,citeseer --output docs/results/nip-gnn-ballots
	$(REPRODUCE) nip-gnn/ballots-edges --methods ballots,gap --datasets facebook --output docs/results/nip-gnn-ballots-facebook
	$(REPRODUCE) nip-gnn/table4 --datasets cora,citeseer --output docs/results/nip-gnn-attacks
	$(REPRODUCE) nip-gnn/table4 --datasets facebook --output docs/results/nip-gnn-attacks-facebook
	$(REPRODUCE) slides/attacks nip-gnn/attacks --datasets cora,citeseer --output docs/results/attacks
	$(REPRODUCE) nip-gnn/attacks --datasets facebook --output docs/results/attacks-facebook
	$(REPRODUCE) cascade/table3 cascade/table4 cascade/figure3 cascade/total --output docs/results/cascade-papers
	$(REPRODUCE) cascade/table2 --datasets cora,pubmed --output docs/results/cascade-papers
	$(REPRODUCE) cascade/table2 --datasets facebook --output docs/results/cascade-papers-facebook
	$(REPRODUCE) cascade/solitude-table3 cascade/solitude-small-budgets --no-controls \
	    --output docs/results/cascade-papers
	$(REPRODUCE) nip-gnn/ballots nip-gnn/ballots-edges --finished-only --output docs/results/nip-gnn-ballots
	$(BIN)/python -m docs.pages

# The pages of docs/results, from the figures that are kept there.
pages: $(VENV)/installed
	$(BIN)/python -m docs.pages

# Pictures and one HTML file of each folder of docs/results, from its CSV files. Git ignores HTML and SVG.
reports: $(VENV)/installed
	for folder in $(sort $(dir $(wildcard docs/results/*/*.csv))); do $(BIN)/hushgraph report $$folder || exit 1; done

# The hyper-parameters of the talk, which it does not tell: a smaller grid than the paper's.
tune: $(VENV)/installed-for-development
	$(BIN)/hushgraph tune cora citeseer pubmed facebook github --backbone gcn --as-published \
	    --epsilon-x 0.1,0.5,1,2,inf --epsilon-y inf --learning-rates 0.01 --weight-decays 0.001,0.01 \
	    --dropouts 0.5,0.75 --steps 0,4,16 --output src/hushgraph/experiments/catalog/slides.json

# Those of Solitude's Table 3, along the paper's grids.
tune-solitude: $(VENV)/installed-for-development
	$(BIN)/hushgraph tune-solitude solitude/table3 --datasets cora,citeseer_lcc --repeats 2 \
	    --output src/hushgraph/experiments/catalog/solitude.json

$(VENV)/created:
	$(PYTHON) -m venv $(VENV)
	touch $@

# torch first and alone: a range that another package states must find it satisfied, or the newest build
# comes with gigabytes of CUDA.
$(VENV)/installed: $(VENV)/created pyproject.toml constraints.txt
	@echo "Installing hushgraph and what it needs into $(VENV) (a few minutes the first time) …"
	$(INSTALL) torch
	$(INSTALL) --editable '.[all]'
	touch $@

$(VENV)/installed-for-development: $(VENV)/installed
	@echo "Installing the development tools …"
	$(INSTALL) --requirement requirements-dev.txt
	touch $@

clean:
	rm -rf $(VENV) demo campaign campaign.log
