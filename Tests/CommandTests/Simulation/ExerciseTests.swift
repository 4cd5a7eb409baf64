import Foundation
import Perennial
import PerennialSimulation
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialCommand

/// Histories of real stores: honest ones are explained, and defects that are put in on purpose are detected.
@Suite(.timeLimit(.minutes(10)))
struct ExerciseTests {
    private static let isLong = ProcessInfo.processInfo.environment["PERENNIAL_LONG"] != nil
    /// Seeds within which a defect is detected, each with longer exercises than the one before.
    private static let seeds: ClosedRange<UInt64> = 1...5

    @Test(arguments: isLong ? [1, 2] : [1] as [UInt64])
    func `every rule holds on SQLite`(seed: UInt64) async throws {
        let recorded = try await ExercisedStore(seed: seed).run()
        Self.expectRulesHold(recorded)
        #expect(recorded.summary.unknown == 0)
        #expect(recorded.summary.customers == 9)
        #expect(recorded.summary.notifications > 50)
    }

    @Test func `every rule holds on two nodes over one PostgreSQL`() async throws {
        Self.expectRulesHold(try await ExercisedStore(engine: .postgres, nodes: 2, seed: 3).run())
    }

    @Test func `every rule holds on a real clock although the node that renews stops`() async throws {
        let recorded = try await Self.onRealClock(seed: 4, steps: 96).run()
        let outcome = recorded.outcome
        #expect(outcome.succeeded, "\(CheckResult(outcome).words)")
        let renewals = recorded.history.operations.flatMap { operation -> [RecordedEntry] in
            if case .entries(let entries) = operation.answer { entries } else { [] }
        }
        #expect(renewals.contains { $0.kind == "renewed" })
    }

    @Test func `renewals that end with the node that made them are detected`() async throws {
        for seed in Self.seeds {
            var store = Self.onRealClock(seed: seed, steps: 72 * Int(seed))
            store.defect = .init(replacing: { text in
                guard text.contains("leases") else { return nil }
                return text.replacing("WHERE leases.node = 0", with: "WHERE leases.node < 0")
            })
            if try await store.run().outcome.violations.contains(where: { $0.rule == .due }) { return }
        }
        Issue.record("not detected")
    }

    private static func onRealClock(seed: UInt64, steps: Int) -> ExercisedStore {
        // In the store's time.
        var store = ExercisedStore(engine: .postgres, nodes: 2, seed: seed, steps: steps, settleSeconds: 600)
        store.receives = false
        store.background = SteppedNodes(stopsRenewing: true)
        return store
    }

    private static func expectRulesHold(_ recorded: ExercisedStore.Recorded) {
        let outcome = recorded.outcome
        #expect(outcome.succeeded, "\(CheckResult(outcome).words)")
        #expect(recorded.summary.isComplete)
        #expect(recorded.summary.sales > 50)
        #expect(outcome.entries > 50)
        #expect(outcome.operations == recorded.summary.operations)
    }

    @Test func `the seed decides what the clients ask first`() async throws {
        func requests(_ seed: UInt64) async throws -> [RecordedOperation.Request] {
            let recorded = try await ExercisedStore(seed: seed, clients: 1, steps: 10, receives: false).run()
            return recorded.history.operations.filter { $0.client == 0 && $0.customer != nil }
                .sorted { $0.number < $1.number }.map(\.request).filter { if case .buy = $0 { true } else { false } }
        }
        let first = try await requests(5)
        #expect(first.count > 2)
        #expect(try await requests(5) == first)
        #expect(try await requests(6) != first)
    }

    // MARK: - Defects

    static let defects: [(name: String, ExercisedStore.Defect, Set<StoreRule>)] = [
        ("a key is forgotten", .init(.forgottenKey), [.soldTwice]),
        ("a purchase is lost", .init(.lostPurchase), [.lostAnswer, .journalOrder, .paidTwice, .journalAndTables]),
        ("a posting is dropped", .init(.droppedPosting), [.unbalanced]),
        ("access stays after a refund", .init(.keptAfterRefund), [.lostAnswer, .unexplained, .severalActive]),
        ("a repeat stays after a refund", .init(.keptRepeat), [.unexplained, .severalActive]),
        ("a renewal is forgotten and charged again", .init(.forgottenRenewal), [.paidTwice, .due, .unexpectedError]),
        ("a renewal is never due", .init(.forgottenDue), [.due]),
        ("a catalog is never looked at again", .init(.staleCatalog), [.wrongCharge]),
        (
            "a declined card pays",
            .init(
                """
                CREATE TRIGGER mutation AFTER UPDATE OF payment_method ON accounts WHEN NEW.payment_method = 'declined'
                BEGIN UPDATE accounts SET payment_method = 'valid' WHERE environment = NEW.environment AND id = NEW.id; END
                """), [.unexplained]
        ),
        (
            "a finished transaction opens again",
            .init(
                """
                CREATE TRIGGER mutation AFTER UPDATE OF is_finished ON transactions WHEN NEW.is_finished = 1
                BEGIN UPDATE transactions SET is_finished = 0 WHERE id = NEW.id; END
                """), [.lostAnswer]
        ),
        (
            "an entry of the journal changes",
            .init(
                """
                CREATE TRIGGER mutation AFTER INSERT ON journal WHEN NEW.position % 5 = 0
                BEGIN UPDATE journal SET at = at + 1000
                WHERE environment = NEW.environment AND app = NEW.app AND position = NEW.position - 4; END
                """), [.journalOrder]
        ),
        (
            "the journal has a gap",
            .init(
                """
                CREATE TRIGGER mutation AFTER INSERT ON journal WHEN NEW.position % 7 = 0
                BEGIN DELETE FROM journal
                WHERE environment = NEW.environment AND app = NEW.app AND position = NEW.position - 3; END
                """), [.journalOrder]
        ),
        (
            "a notification is lost",
            .init(
                """
                CREATE TRIGGER mutation AFTER INSERT ON notifications WHEN NEW.position % 5 = 0
                BEGIN DELETE FROM notifications
                WHERE environment = NEW.environment AND app = NEW.app AND position = NEW.position; END
                """), [.lostNotification]
        ),
    ]

    @Test(arguments: defects)
    func `a defect is detected`(
        name: String, defect: ExercisedStore.Defect, rules: Set<StoreRule>
    ) async throws {
        for seed in Self.seeds {
            var store = ExercisedStore(defect: defect, seed: seed, steps: 72 * Int(seed))
            // To sign notifications takes longer than all the rest.
            store.receives = rules.contains(.lostNotification)
            if rules.contains(.due) {
                // Only customers whose card was never declined show it.
                store.steps *= 2
            } else {
                // Some stores with defects never answer.
                store.settleSeconds = 10
                store.pace = 400
            }
            let outcome = try await store.run().outcome
            guard !outcome.violations.isEmpty else { continue }
            #expect(outcome.violations.contains { rules.contains($0.rule) }, "\(CheckResult(outcome).words)")
            return
        }
        Issue.record("not detected: \(name)")
    }

    /// Pauses in each sale, so that sales of two nodes overlap on any machine.
    private static let pauseInSales: [SQL] = [
        """
        CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_sleep(0.01); RETURN NEW; END'
        """,
        "CREATE TRIGGER pause BEFORE INSERT ON transactions FOR EACH ROW EXECUTE FUNCTION pause()",
    ]

    /// Defects of two nodes on one PostgreSQL.
    static let defectsOfNodes: [(name: String, ExercisedStore.Defect, StoreRule)] = [
        (
            "positions are numbered by a head that was read without its lock",
            .init(
                [
                    // The key refuses two entries at one position.
                    "ALTER TABLE journal DROP CONSTRAINT journal_pkey",
                    "ALTER TABLE postings DROP CONSTRAINT postings_pkey",
                ],
                replacing: { text in
                    guard text.contains("RETURNING set_config") else { return nil }
                    return text.replacing(
                        "position = journal_heads.position + excluded",
                        with: """
                            position = (SELECT read.position FROM journal_heads AS read, pg_sleep(0.005)
                            WHERE read.environment = excluded.environment AND read.app = excluded.app) + excluded
                            """)
                }), .journalOrder
        ),
        (
            "a catalog is never looked at again",
            .init(replacing: { text in
                guard text == "SELECT revision FROM catalog_head WHERE id = 1" else { return nil }
                return "SELECT LEAST(revision, 1) FROM catalog_head WHERE id = 1"
            }), .wrongCharge
        ),
        (
            "purchases don't lock their customer",
            .init(
                pauseInSales,
                replacing: { text in
                    guard text.contains("customers") else { return nil }
                    return ["FOR UPDATE SKIP LOCKED", "FOR UPDATE OF customers", "FOR UPDATE"].reduce(text) {
                        $0.replacing($1, with: "")
                    }
                }), .severalActive
        ),
        (
            "a lease is neither waited for nor checked",
            .init(replacing: { text in
                guard text.contains("leases") else { return nil }
                return text.replacing("WHERE leases.node = 0", with: "")
                    .replacing("AND token = $4 FOR UPDATE", with: "AND (token = $4 OR token <> $4) FOR UPDATE")
            }), .clock
        ),
    ]

    /// The last in the long form only: whether a lease moves while it is used is up to the machine.
    @Test(arguments: isLong ? defectsOfNodes : defectsOfNodes.dropLast())
    func `a defect of two nodes is detected`(
        name: String, defect: ExercisedStore.Defect, rule: StoreRule
    ) async throws {
        for seed in Self.seeds {
            var store = ExercisedStore(
                engine: .postgres, nodes: 2, defect: defect, seed: seed, steps: 72 * Int(seed), settleSeconds: 10)
            store.receives = false
            let outcome = try await store.run().outcome
            if outcome.violations.contains(where: { $0.rule == rule }) { return }
        }
        Issue.record("not detected: \(name)")
    }

    // MARK: - Commands

    private func exercise(_ words: String...) throws -> ExerciseCommand {
        try #require(try Words.parse(["exercise"] + words + ["--history", "h.jsonl"]) as? ExerciseCommand)
    }

    @Test func `a history is written, checked and found good`() async throws {
        let file = "\(try TemporaryFolder.make())/history.jsonl"
        try await RunningStore.run { store in
            let command = try #require(
                try Words.parse([
                    "exercise", store.url, "--token", RunningStore.token, "--app", "com.example.magazine", "--seed",
                    "7",
                    "--for", "1", "--clients", "2", "--without-notifications", "--history", file, "--json",
                ]) as? ExerciseCommand)
            try await command.run()
        }
        let history = try CheckCommand.read(file)
        #expect(history.header.environment == "Exercise-7")
        let outcome = HistoryCheck([history]).run()
        #expect(outcome.succeeded, "\(CheckResult(outcome).words)")
        let check = try #require(try Words.parse(["check", file, "--json"]) as? CheckCommand)
        try await check.run()
    }

    @Test(arguments: [
        ["--for", "0"], ["--clients", "0"], ["--clients", "257"], ["--timeout", "0"], ["--settle", "0"],
        ["--clock", "none"], ["--seed", "-1"], ["--receiver", "9000"], ["--receiver-url", "here"], ["there"],
    ])
    func `impossible options are refused`(words: [String]) {
        #expect(throws: (any Error).self) { try Words.parse(["exercise"] + words + ["--history", "h.jsonl"]) }
    }

    @Test func `a missing or foreign file is named`() throws {
        let folder = try TemporaryFolder.make()
        #expect(throws: CommandError.self) { try CheckCommand.read("\(folder)/none.jsonl") }
        try Data("{}\n".utf8).write(to: URL(filePath: "\(folder)/other.jsonl"))
        let error = try #require(throws: CommandError.self) { try CheckCommand.read("\(folder)/other.jsonl") }
        #expect(error.description.contains("other.jsonl, line 1"))
        #expect(throws: (any Error).self) { try Words.parse(["check"]) }
        #expect(throws: (any Error).self) { try Words.parse(["check", "h.jsonl", "--maximum-steps", "0"]) }
    }

    @Test func `an environment that is there is refused`() async throws {
        let file = "\(try TemporaryFolder.make())/history.jsonl"
        try await RunningStore.run { store in
            let command = try #require(
                try Words.parse([
                    "exercise", store.url, "--token", RunningStore.token, "--app", "com.example.magazine",
                    "--environment", "staging", "--for", "1", "--without-notifications", "--history", file, "--json",
                ]) as? ExerciseCommand)
            let error = try #require(await #expect(throws: ExerciseError.self) { try await command.run() })
            #expect(error.description.contains("the environment staging is there already"))
        }
    }

    @Test(arguments: [
        ("127.0.0.1:0", "127.0.0.1", 0), ("[::1]:9000", "::1", 9000), ("host.test:80", "host.test", 80),
    ])
    func `a receiver's address is read`(text: String, host: String, port: Int) throws {
        let address = try #require(ExerciseReceiver.Address(text))
        #expect(address == .init(host: host, port: port))
    }
}

extension ExerciseReceiver.Address {
    init(host: String, port: Int) {
        self = ExerciseReceiver.Address("127.0.0.1:0")!
        self.host = host
        self.port = port
    }
}
