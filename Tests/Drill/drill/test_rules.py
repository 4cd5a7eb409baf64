"""Each rule of the drill is broken on purpose, and has to say so. Runs before every drill; python3 -m unittest drill.test_rules."""

import types
import unittest

from . import rules
from .sellers import Request


def request(key="a", node="node1", begin=1.0, end=1.1, status=200, transaction="1", **other):
    return Request(node, "ann", key, begin, end, status, transaction=transaction if status == 200 else "", **other)


def fault(**other):
    nodes = [types.SimpleNamespace(name=name) for name in ("node1", "node2")]
    settings = {"nodes": nodes, "victims": [], "victim_processes": [], "fails_over": True, "stops_sales": False, "stops_nodes": False, "moves_leases": True,
                "stopped_at": 0.0, "least_writes": 0.0}
    return types.SimpleNamespace(**{**settings, **other})


def steady(until, nodes=("node1", "node2"), pause=()):
    """Lists a sale of each node every half second, except in a pause."""
    moments = [count / 2 for count in range(int(until * 2)) if not (pause and pause[0] <= count / 2 < pause[1])]
    return [request(f"{node}-{moment}", node, moment, moment + 0.1, transaction=f"{node}-{moment}") for node in nodes for moment in moments]


def figures(history, of=None, written=None, leases=(), begin=10, end=40, observed=60, renewals=()):
    return rules.Figures(of or fault(), begin, end, observed, history, written or [count / 10 for count in range(700)], leases, True,
                         renewals)


class FaultRules(unittest.TestCase):
    def test_steady_sales_break_nothing(self):
        self.assertEqual(rules.check_fault(figures(steady(60))), [])

    def test_sales_that_stand_too_long(self):
        broken = rules.check_fault(figures(steady(60, pause=(12, 29))))
        self.assertEqual(len(broken), 1)
        self.assertIn("nothing was sold for 17.", broken[0])

    def test_sales_beside_a_fault_of_something_else(self):
        history = steady(60, pause=(12, 19))
        self.assertEqual(rules.check_fault(figures(history)), [])
        self.assertIn("nothing was sold for 7.", rules.check_fault(figures(history, of=fault(fails_over=False)))[0])

    def test_sales_may_stand_as_long_as_the_database_and_a_little(self):
        beside = fault(fails_over=False)
        written = [count / 10 for count in range(700) if not 120 <= count < 200]
        self.assertEqual(rules.check_fault(figures(steady(60, pause=(12, 24)), beside, written)), [])
        self.assertEqual(len(rules.check_fault(figures(steady(60, pause=(12, 26)), beside, written))), 1)

    def test_a_failover_that_takes_the_cluster_itself_too_long(self):
        written = [count / 10 for count in range(700) if not 120 <= count < 270]
        broken = rules.check_fault(figures(steady(60, pause=(12, 28)), written=written))
        self.assertEqual(broken, ["nothing was sold for 16.5 s, the database took no writes for 15.1 s"])

    def test_a_node_that_does_not_sell_again(self):
        history = steady(60, ("node1",)) + [one for one in steady(60, ("node2",)) if one.end < 20]
        self.assertEqual(rules.check_fault(figures(history)), ["node2 didn't sell again"])

    def test_sales_that_come_back_too_late_after_an_outage(self):
        history = steady(60, pause=(10, 56))
        broken = rules.check_fault(figures(history, of=fault(stops_sales=True)))
        self.assertIn("nothing was sold until 16.1 s after the end", broken)

    def test_answers_that_no_store_should_give(self):
        for wrong, said in ((request(status=500, failure="internal"), "500 internal"), (request(status=503), "503 without Retry-After"),
                            (request(status=0, begin=10, end=26.5, failure="TimeoutError"), "no answer in"),
                            (request(status=0, failure="ConnectionRefusedError"), "connection failed"),
                            (request(skew=3600.0), "dated +3600 s"), (request(skew=-16.0), "dated -16 s"),
                            (request(skew=-40.0, asked=0.0), "dated -40 s")):
            wrong.begin, wrong.end = wrong.begin + 10, wrong.end + 10
            self.assertIn(said, " ".join(rules.check_fault(figures(steady(60) + [wrong]))))
        for allowed in (request(status=503, begin=20, end=20.1, retry_after="1"),
                        # Sold before the link was cut, and told afterwards.
                        request(begin=50, end=50.1, skew=-26.0, asked=25.0)):
            self.assertEqual(rules.check_fault(figures(steady(60) + [allowed])), [])

    def test_a_node_that_is_down_may_refuse_connections(self):
        down = fault(victims=[types.SimpleNamespace(name="node2")], stops_nodes=True)
        refused = request(node="node2", begin=20, end=20.1, status=0, failure="ConnectionRefusedError")
        self.assertEqual(rules.check_fault(figures(steady(60) + [refused], of=down)), [])

    def test_answers_of_a_node_that_is_back(self):
        down = fault(victims=[types.SimpleNamespace(name="node2")], stops_nodes=True)
        for begin, said in ((20, ""), (40.5, ""), (41.5, "500 internal")):
            wrong = request(node="node2", begin=begin, end=begin + 0.1, status=500, failure="internal")
            self.assertIn(said, " ".join(rules.check_fault(figures(steady(60) + [wrong], of=down))))
            self.assertEqual(bool(said), bool(rules.check_fault(figures(steady(60) + [wrong], of=down))))
        late = request(node="node2", begin=45, end=45.1, skew=-60.0)
        self.assertIn("dated -60 s", " ".join(rules.check_fault(figures(steady(60) + [late], of=down))))

    def test_load_without_groups(self):
        loaded = fault(least_writes=1.5)
        for writes, said in ((1.6, ""), (1.4, "1.40 writes shared"), (None, "0.00 writes shared")):
            seen = figures(steady(60), loaded)
            seen.writes = writes
            self.assertIn(said, " ".join(rules.check_fault(seen)))
            self.assertEqual(bool(said), bool(rules.check_fault(seen)))
        # A node that was started again counts from zero, and one that doesn't answer counts nothing.
        before, after = [(10.0, 10.0), (50.0, 60.0), None, (5.0, 5.0)], [(30.0, 70.0), (4.0, 9.0), (9.0, 9.0), (9.0, 10.0)]
        self.assertEqual(rules.writes_per_commit(before, after), 3.0)
        self.assertIsNone(rules.writes_per_commit([None], [(1.0, 1.0)]))

    def test_renewals_that_no_other_node_makes(self):
        down = fault(victims=[types.SimpleNamespace(name="node2")], victim_processes=[7], stops_nodes=True)
        lease = "renewals/4/0"
        leases = [(9.0, {lease: 7, "renewals/2/0": 7}), (13.0, {lease: 8, "renewals/2/0": 8})]

        def renewed(*times):
            return figures(steady(60), down, leases=leases, renewals=[(time, lease) for time in times])

        self.assertEqual(renewed(8.0, 14.0).renewal, 4.0)
        self.assertEqual(rules.check_fault(renewed(8.0, 14.0)), [])
        # What it had committed before it stopped is its own.
        self.assertEqual(rules.check_fault(renewed(8.0, 10.5)), ["no other node renewed in 15 s"])
        self.assertEqual(rules.check_fault(renewed(8.0, 26.0)), ["others renewed after 16.0 s"])
        # Nothing renewed there before.
        self.assertIsNone(renewed(3.0).renewal)
        down.stopped_at = 12.0
        self.assertEqual(renewed(8.0, 14.0).renewal, 2.0)

    def test_leases_that_move_late_or_not_at_all(self):
        down = fault(victims=[types.SimpleNamespace(name="node2")], victim_processes=[7], stops_nodes=True)
        moved = [(9.0, {"rollUps/1/1": 7, "clock/1/1": 7}), (12.0, {"rollUps/1/1": 0}), (13.0, {"rollUps/1/1": 8, "clock/1/1": 0})]
        self.assertEqual(figures(steady(60), down, leases=moved).leases, 3.0)
        self.assertEqual(rules.check_fault(figures(steady(60), down, leases=moved)), [])
        late = [(9.0, {"rollUps/1/1": 7}), (16.0, {"rollUps/1/1": 8})]
        self.assertEqual(rules.check_fault(figures(steady(60), down, leases=late)), ["leases moved after 6.0 s"])
        self.assertEqual(rules.check_fault(figures(steady(60), down, leases=late[:1])), ["leases didn't move"])
        down.stopped_at = 12.0
        self.assertEqual(figures(steady(60), down, leases=late).leases, 4.0)


class HistoryRules(unittest.TestCase):
    def test_a_key_with_two_transactions(self):
        self.assertEqual(len(rules.check_keys([request(), request(transaction="2")])), 1)

    def test_a_transaction_with_two_keys(self):
        self.assertEqual(len(rules.check_keys([request(), request(key="b")])), 1)

    def test_the_same_answer_twice(self):
        self.assertEqual(rules.check_keys([request(), request()]), [])

    def test_an_acknowledged_sale_that_is_lost_or_another(self):
        self.assertEqual(rules.check_kept([request()], {"a": "1"}), [])
        self.assertIn("lost", rules.check_kept([request()], {"a": None})[0])
        self.assertIn("2", rules.check_kept([request()], {"a": "2"})[0])

    def test_journals(self):
        whole = [(1, "purchased", "1"), (2, "refunded", "1")]
        self.assertEqual(rules.check_journals({"node1": whole, "node2": whole}, [request()]), [])
        self.assertIn("different", rules.check_journals({"node1": whole, "node2": whole[:1]}, [request()])[0])
        self.assertIn("dense", rules.check_journals({"node1": [(1, "purchased", "1"), (3, "refunded", "1")]}, [request()])[0])
        twice = [(1, "purchased", "1"), (2, "purchased", "1")]
        self.assertIn("twice", rules.check_journals({"node1": twice}, [request()])[0])
        self.assertIn("acknowledged", rules.check_journals({"node1": whole}, [request(key="b", transaction="9")])[0])


if __name__ == "__main__":
    unittest.main()
