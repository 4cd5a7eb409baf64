"""What has to be true of a fault, and of the whole run. Each rule returns sentences about what broke it."""

from .faults.fault import LEASES_WITHIN_SECONDS, RENEWALS_WITHIN_SECONDS, SALES_BESIDE_SECONDS, SALES_WITHIN_SECONDS
from .sellers import ANSWERED_WITHIN_SECONDS

CLOCK_WITHIN_SECONDS = 15
# A node that comes back may have that long to notice it; what is asked later is answered as at any node.
NOTICES_WITHIN_SECONDS = 1
# Renewals that were seen so shortly after the node stopped may be its own. There are renewals to wait for if one was seen that
# shortly before.
OWN_RENEWALS_SECONDS, RENEWED_BEFORE_SECONDS = 1, 5
# Leases that a node takes when it needs them; of the others each has a holder as long as a node lives.
TAKEN_AT_NEED = ("clock", "notifications")


def longest_gap(times, begin, end):
    """Returns the longest time without an event between two moments, in seconds."""
    points = [begin, *sorted(time for time in times if begin <= time <= end), end]
    return max(later - earlier for earlier, later in zip(points, points[1:]))


def busy_leases(renewals, at):
    """Returns the leases under which subscriptions were renewed shortly before a moment."""
    return {lease for time, lease in renewals if at - RENEWED_BEFORE_SECONDS <= time <= at}


def lost_renewals(fault, begin, leases, renewals):
    """Lists the leases under which the victims renewed subscriptions when they stopped."""
    stopped = set(fault.victim_processes)
    before = [holders for time, holders in leases if time <= begin]
    if not before:
        return []
    busy = busy_leases(renewals, begin)
    return sorted(lease for lease, process in before[-1].items() if process in stopped and lease in busy)


def writes_per_commit(before, after):
    """Returns how many writes shared a commit on the node where most did, between two readings of the nodes' counts; nothing if no
    node counted through."""
    return max(((new[1] - old[1]) / (new[0] - old[0]) for old, new in zip(before, after) if old and new and new[0] > old[0]),
               default=None)


class Figures:
    """What happened around one fault, in numbers."""

    def __init__(self, fault, begin, end, observed, history, written, leases, is_leases_supported, renewals=()):
        self.fault, self.begin, self.end, self.observed = fault, begin, end, observed
        self.requests = [request for request in list(history) if request.end >= begin and request.begin <= observed]
        self.sold = [request for request in self.requests if request.is_sold]
        affected = {node.name for node in fault.victims} if fault.stops_nodes else set()
        self.unaffected = [request for request in self.requests
                           if request.node not in affected or request.begin > end + NOTICES_WITHIN_SECONDS]
        self.sales_pause = longest_gap([request.end for request in self.sold], begin, observed)
        self.database_pause = longest_gap(list(written), begin, observed)
        self.node_recovery = {
            node.name: min((request.end for request in self.sold if request.node == node.name and request.begin >= end),
                           default=float("inf")) - end for node in fault.nodes}
        self.refused = sum(request.status == 503 for request in self.unaffected)
        self.slowest = max((request.end - request.begin for request in self.unaffected), default=0.0)
        # Measured beside the history.
        self.writes = None
        has_to_move = fault.stops_nodes and fault.moves_leases and is_leases_supported
        self.leases = self.moved_leases(list(leases)) if has_to_move else None
        self.renewal = self.renewed(lost_renewals(fault, begin, list(leases), list(renewals)), list(renewals)) if has_to_move else None

    def moved_leases(self, seen):
        """Returns how long it took until others held all leases of the nodes that don't answer, or nothing if they held none."""
        stopped = set(self.fault.victim_processes)
        before = [holders for time, holders in seen if time <= self.begin]
        if not before:
            return None
        lost = {lease for lease, process in before[-1].items() if process in stopped}
        if not lost:
            return None
        for time, holders in seen:
            if self.begin < time <= self.end and all(self.has_moved(lease, holders.get(lease, 0), stopped) for lease in lost):
                return max(0.0, time - max(self.begin, self.fault.stopped_at))
        return float("inf")

    def renewed(self, lost, renewals):
        """Returns how long it took until others had renewed a subscription under each lease that had to move, or nothing for none."""
        if not lost:
            return None
        stopped = max(self.begin, self.fault.stopped_at)
        return max(min((time for time, renewed in renewals if renewed == lease and time > stopped + OWN_RENEWALS_SECONDS),
                       default=float("inf")) - stopped for lease in lost)

    @staticmethod
    def has_moved(lease, process, stopped):
        return process not in stopped and (process != 0 or lease.split("/")[0] in TAKEN_AT_NEED)


def check_fault(figures):
    """Checks the rules of one fault."""
    fault, broken = figures.fault, []
    if fault.stops_sales:
        back = min(figures.node_recovery.values())
        if back > SALES_WITHIN_SECONDS:
            broken.append(f"nothing was sold until {back:.1f} s after the end")
    else:
        # A failover counts as the customers see it; the cluster's own time stands beside it.
        allowed = SALES_WITHIN_SECONDS if fault.fails_over else min(
            SALES_WITHIN_SECONDS, max(SALES_BESIDE_SECONDS, figures.database_pause + SALES_BESIDE_SECONDS))
        if figures.sales_pause > allowed:
            broken.append(f"nothing was sold for {figures.sales_pause:.1f} s, the database took no writes for "
                          f"{figures.database_pause:.1f} s")
    for node, seconds in sorted(figures.node_recovery.items()):
        if seconds > SALES_WITHIN_SECONDS:
            broken.append(f"{node} sold nothing until {seconds:.1f} s after the end" if seconds != float("inf")
                          else f"{node} didn't sell again")
    if figures.leases is not None and figures.leases > LEASES_WITHIN_SECONDS:
        broken.append(f"leases moved after {figures.leases:.1f} s" if figures.leases != float("inf") else "leases didn't move")
    if fault.least_writes and (figures.writes or 0) < fault.least_writes:
        broken.append(f"{figures.writes or 0:.2f} writes shared a commit, at least {fault.least_writes} have to")
    if figures.renewal is not None and figures.renewal > RENEWALS_WITHIN_SECONDS:
        broken.append(f"others renewed after {figures.renewal:.1f} s" if figures.renewal != float("inf")
                      else f"no other node renewed in {RENEWALS_WITHIN_SECONDS} s")
    return broken + check_answers(figures.unaffected, fault)


def check_answers(requests, fault):
    """Checks the answers of nodes that can answer: a sale, or 503 with Retry-After, in time."""
    kinds = {}
    for request in requests:
        if request.status == 200:
            # A repeated purchase is told the date of the first time, which may be long ago.
            if not request.since - request.end - CLOCK_WITHIN_SECONDS <= request.skew <= CLOCK_WITHIN_SECONDS:
                kinds.setdefault(f"a sale dated {request.skew:+.0f} s from now", []).append(request)
        elif request.status == 503:
            if not request.retry_after:
                kinds.setdefault("503 without Retry-After", []).append(request)
        elif request.status:
            kinds.setdefault(f"{request.status} {request.failure}", []).append(request)
        elif request.end - request.begin >= ANSWERED_WITHIN_SECONDS:
            kinds.setdefault(f"no answer in {ANSWERED_WITHIN_SECONDS} s", []).append(request)
        elif request.failure == "TimeoutError":
            continue
        else:
            kinds.setdefault(f"connection failed: {request.failure}", []).append(request)
    return [f"{len(found)} × {kind} (first: {found[0].node}, key {found[0].key}, at {found[0].begin:.1f} s)"
            for kind, found in sorted(kinds.items())]


def check_keys(history):
    """Checks that a key has one transaction, and a transaction one key."""
    transactions, keys, broken = {}, {}, []
    for request in history:
        if request.is_sold:
            if transactions.setdefault(request.key, request.transaction) != request.transaction:
                broken.append(f"key {request.key} was answered with {transactions[request.key]} and {request.transaction}")
            if keys.setdefault(request.transaction, request.key) != request.key:
                broken.append(f"transaction {request.transaction} was given to {keys[request.transaction]} and {request.key}")
    return broken


def check_kept(history, outcomes):
    """Checks that acknowledged sales are there afterwards; `outcomes` has transactions by key as other nodes tell them."""
    broken = []
    for request in history:
        if request.is_sold and request.key in outcomes and outcomes[request.key] != request.transaction:
            broken.append(f"{request.node} acknowledged {request.key} as {request.transaction} at {request.end:.1f} s; afterwards it is "
                          f"{outcomes[request.key] or 'lost'}")
    return broken


def check_journals(journals, history):
    """Checks that all nodes read one journal, without gaps, with each sale once."""
    broken = []
    (first, entries), *others = journals.items()
    for other, its_entries in others:
        if its_entries != entries:
            broken.append(f"{first} and {other} read different journals ({len(entries)} and {len(its_entries)} entries)")
    positions = [position for position, _, _ in entries]
    if positions != list(range(1, len(positions) + 1)):
        missing = sorted(set(range(1, (positions or [0])[-1] + 1)) - set(positions))
        broken.append(f"the journal isn't dense: {missing[:5]} are missing, {len(positions) - len(set(positions))} are there twice")
    bought = [transaction for _, kind, transaction in entries if kind == "purchased"]
    if len(bought) != len(set(bought)):
        broken.append(f"{len(bought) - len(set(bought))} purchases are in the journal twice")
    lost = {request.transaction for request in history if request.is_sold} - set(bought)
    if lost:
        broken.append(f"{len(lost)} acknowledged purchases aren't in the journal: {sorted(lost)[:5]}")
    return broken
