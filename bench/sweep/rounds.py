"""The rounds of the part ``sweep`` and its targets."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from bench.databases import Databases, postgresql, sqlite
from bench.measuring import ROUNDS, Spread, interleaved, ratios, seconds, spread
from bench.sweep import prototypes
from bench.sweep.cases import ONE_IN, Cases, auto_of, load
from bench.sweep.checks import Digest, check, count, digest, sizes
from bench.sweep.floor import make_plan, run_floor
from bench.sweep.product import run_product
from bench.sweep.prototypes import AS_OF, MIDNIGHT, STAMP, Prototype
from bench.targets import Targets, require

SMALL, MIDDLE, LARGE = 10_000, 200_000, 1_000_000
PEER_CASES = 2_000
PROTOTYPES, FEWEST = 150, 12
COMPARED = auto_of(50_000)  # below this auto every row is compared; of all, what must come out
IDLE_DAY = AS_OF - timedelta(days=200)  # nothing has ended by then
LARGE_ROUNDS = 2


@dataclass(slots=True)
class Bulk:
    """A filled database to be copied, with what must come out of a sweep of it, and what was measured on it."""

    databases: Databases
    url: str
    cases: Cases
    name: str
    right: Digest = field(default_factory=dict)
    right_of_few: Digest = field(default_factory=dict)
    few: int = 0
    megabytes: float = 0.0
    compared: set[str] = field(default_factory=set)  # the contenders whose rows were compared one by one

    def on_a_copy(self, work: Callable[[str], float]) -> float:
        """Do the work on a copy of the database, which goes afterwards."""
        url = self.databases.copy(self.url)
        try:
            return work(url)
        finally:
            self.databases.drop(url)

    def product(self) -> float:
        """A contender: the product's sweep with one worker."""
        return self.on_a_copy(lambda url: self._same("product", url, self._swept(url, 1)))

    def two_workers(self) -> float:
        """A contender: the product's sweep with two workers. What must come out is checked, but the numbers differ."""

        def work(url: str) -> float:
            took = self._swept(url, 2)
            check(url, self.cases)
            return took

        return self.on_a_copy(work)

    def floor(self) -> float:
        """A contender: the floor."""
        return self.on_a_copy(lambda url: self._same("floor", url, seconds(lambda: run_floor(url, MIDNIGHT))))

    def peer(self, unit: int, all_due: int) -> float:
        """A contender: the ORM with ``unit`` cases per transaction; its time is scaled from few cases to all."""
        from bench.sweep.peers import run_peer

        def work(url: str) -> float:
            took = run_peer(url, unit, self.few)
            found = _without_counters(digest(url, _after(self.few)))
            require(found == self.right_of_few, f"{self.name}: the peer wrote other rows than the product")
            return took * all_due / self.few

        return self.on_a_copy(work)

    def _swept(self, url: str, workers: int) -> float:
        done = run_product(url, workers=workers)
        require((done.examined, done.failed) == (self.cases.due, 0), f"{self.name}: {done}")
        self.megabytes = max(self.megabytes, done.megabytes, done.worker_megabytes)
        return done.seconds

    def _same(self, contender: str, url: str, took: float) -> float:
        """What came out is checked each time; every row is compared once, where there is what to compare with."""
        check(url, self.cases)
        if self.right and contender not in self.compared:
            require(digest(url, COMPARED) == self.right, f"{self.name}: other rows than the first sweep's")
            self.compared.add(contender)
        return took


def _after(few: int) -> str:
    """The auto after the first few due ones."""
    return auto_of(ONE_IN * (few - 1) + 1)


def _without_counters(found: Digest) -> Digest:
    """What the peers, who write few cases, have in common with a sweep of all."""
    return {table: content for table, content in found.items() if table != "counters"}


def loaded(databases: Databases, nursery: str, known: Sequence[Prototype], count: int) -> Bulk:
    """A database with ``count`` cases."""
    name = f"{databases.dialect}, {count:,} cases"
    began = time.perf_counter()
    url = databases.new()
    cases = load(url, nursery, known, count)
    databases.freeze(url)
    print(f"{name}, {cases.due:,} expired: loaded in {time.perf_counter() - began:.0f} s", flush=True)
    return Bulk(databases, url, cases, name)


def prepare(databases: Databases, nursery: str, known: Sequence[Prototype], count: int) -> Bulk:
    """Load ``count`` cases, sweep a copy and check it against what must come out, keep its rows as the floor's plan."""
    bulk = loaded(databases, nursery, known, count)
    began = time.perf_counter()
    url, cases, name = bulk.url, bulk.cases, bulk.name
    swept = databases.copy(url)
    done = run_product(swept)
    require((done.examined, done.failed) == (cases.due, 0), f"{name}: {done}")
    check(swept, cases)
    bulk.few = min(PEER_CASES, cases.due)
    bulk.right_of_few = _without_counters(digest(swept, _after(bulk.few)))
    bulk.right = digest(swept, COMPARED)
    make_plan(url, swept, STAMP)
    databases.drop(swept)
    databases.freeze(url)
    took = time.perf_counter() - began
    print(f"  {name}: swept, checked and planned in {took:.0f} s", flush=True)
    return bulk


def run(targets: Targets, scale: float) -> None:
    """PostgreSQL, then SQLite."""
    rounds = ROUNDS if scale >= 1 else 1
    with sqlite() as files:
        nursery = files.new()
        known = _prototypes(nursery, scale)
        print(f"{len(known)} prototype cases of the three laws", flush=True)
        _sqlite(targets, prepare(files, nursery, known, _sized(MIDDLE, scale)), rounds)
        with postgresql() as server:
            small = prepare(server, nursery, known, _sized(SMALL, scale))
            each = {SMALL: _each(small, interleaved({"product": small.product}, rounds)["product"])}
            middle = prepare(server, nursery, known, _sized(MIDDLE, scale))
            each[MIDDLE] = _postgresql(targets, middle, small, rounds)
            _flat(targets, each)
            targets.at_most("peak memory of a sweep", max(small.megabytes, middle.megabytes), 300, "MB")
            server.drop(small.url)  # the server may be the user's
            server.drop(middle.url)


def run_million(targets: Targets, scale: float) -> None:
    """A million cases on PostgreSQL beside ten thousand: growth, memory and an idle night."""
    rounds = ROUNDS if scale >= 1 else 1
    with sqlite() as files, postgresql() as server:
        nursery = files.new()
        known = _prototypes(nursery, scale)
        each = {}
        for size, times in ((SMALL, rounds), (LARGE, min(rounds, LARGE_ROUNDS))):
            bulk = loaded(server, nursery, known, _sized(size, scale))
            each[size] = _each(bulk, interleaved({"product": bulk.product}, times)["product"])
            targets.at_most(f"{bulk.name}: peak memory of a sweep", bulk.megabytes, 300, "MB")
            if size == LARGE:
                _tell_sizes(bulk)
                _idle(targets, bulk, rounds)
            server.drop(bulk.url)
        _flat(targets, each)


def _prototypes(nursery: str, scale: float) -> Sequence[Prototype]:
    return prototypes.build(nursery, max(FEWEST, round(PROTOTYPES * min(1.0, scale))))


def _sized(count: int, scale: float) -> int:
    return max(250, round(count * scale))


def _each(bulk: Bulk, times: Sequence[float]) -> Spread:
    """Microseconds per expired case."""
    each = spread(took / bulk.cases.due * 1e6 for took in times)
    print(f"  {bulk.name}: product {each:.0f} µs per expired case", flush=True)
    return each


def _sqlite(targets: Targets, bulk: Bulk, rounds: int) -> None:
    times = interleaved({"product": bulk.product, "floor": bulk.floor}, rounds)
    _each(bulk, times["product"])
    _against_floor(targets, bulk, times, 1.4)


def _postgresql(targets: Targets, bulk: Bulk, small: Bulk, rounds: int) -> Spread:
    """The peers sweep the few cases of the small database, which is quicker to copy and no slower for them."""
    contenders = {
        "product": bulk.product,
        "floor": bulk.floor,
        "two workers": bulk.two_workers,
        "ORM": lambda: small.peer(1_000, bulk.cases.due),
        "one by one": lambda: small.peer(1, bulk.cases.due),
    }
    times = interleaved(contenders, rounds)
    product = times["product"]
    each = _each(bulk, product)
    _against_floor(targets, bulk, times, 1.3)
    _judge(targets.at_least, "ORM units of work of 1,000 cases over the product", ratios(times["ORM"], product), 8)
    _judge(targets.at_least, "one transaction per case over the product", ratios(times["one by one"], product), 40)
    _judge(targets.at_most, "two workers over one", ratios(times["two workers"], product), 0.75)
    return each


def _against_floor(targets: Targets, bulk: Bulk, times: Mapping[str, Sequence[float]], limit: float) -> None:
    each = spread(took / bulk.cases.due * 1e6 for took in times["floor"])
    print(f"  {bulk.name}: floor {each:.0f} µs per expired case", flush=True)
    _judge(targets.at_most, f"{bulk.name}: product over floor", ratios(times["product"], times["floor"]), limit)


def _judge(
    judge: Callable[[str, float, float, str], None], what: str, measured: Spread, limit: float, unit: str = "×"
) -> None:
    judge(f"{what} [{measured.low:.2f}..{measured.high:.2f}]", measured.median, limit, unit)


def _tell_sizes(bulk: Bulk) -> None:
    """What a case takes on disk, by table, before any sweep: rows with what is stored beside them, and indexes."""
    acts, deadlines = (count(bulk.url, name) / bulk.cases.count for name in ("acts", "deadlines"))
    print(f"  {bulk.name}: {acts:.1f} acts and {deadlines:.1f} deadlines per case; bytes per case, table + indexes:")
    for name, table, indexes in sizes(bulk.url):
        print(f"    {name:<24} {table / bulk.cases.count:>7,.0f} + {indexes / bulk.cases.count:,.0f}")


def _flat(targets: Targets, each: Mapping[int, Spread]) -> None:
    """Growth: what a case costs among many over what it costs among few."""
    medians = [found.median for _, found in sorted(each.items())]
    figures = " → ".join(f"{median:.0f}" for median in medians)
    what = f"cost per case, {' → '.join(f'{size:,}' for size in sorted(each))} cases: {figures} µs; growth"
    targets.at_most(what, max(medians[1:]) / medians[0], 1.3)


def _idle(targets: Targets, bulk: Bulk, rounds: int) -> None:
    """Sweeps as of a day on which nothing had ended: every case is open, none is due.

    The first one after something was recorded takes the digest of all heads, told apart; an idle night copies it.
    """
    first = run_product(bulk.url, day=IDLE_DAY)
    spent_first = f"{first.in_database * 1e3:,.0f} ms in the database"
    print(f"  {bulk.name}: the first sweep after something was recorded takes {spent_first}", flush=True)
    runs = [run_product(bulk.url, day=IDLE_DAY) for _ in range(rounds)]
    require(all(run.examined == 0 for run in runs), f"{bulk.name}: an idle sweep that found something")
    print(f"  {bulk.name}: an idle sweep takes {spread(run.seconds * 1e3 for run in runs):.0f} ms in all", flush=True)
    spent = spread(run.in_database * 1e3 for run in runs)
    _judge(targets.at_most, f"{bulk.name}: an idle sweep, in the database", spent, 50, "ms")
