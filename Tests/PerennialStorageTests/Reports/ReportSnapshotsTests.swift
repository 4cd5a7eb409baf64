import Perennial
import PerennialStorage
import TestSupport
import Testing

/// End-of-day counts from changes and weekly totals, also for entries that come late.
struct ReportSnapshotsTests {
    private static let first = PacificDay(CivilDate(year: 2026, month: 1, day: 1))
    private static let days: Int64 = 120
    private let key = RollUpKey(environment: StoreEnvironment.ID(rawValue: 1), app: 7, generation: 2)
    private let other = RollUpKey(environment: StoreEnvironment.ID(rawValue: 1), app: 7, generation: 3)

    private static func snapshot(_ number: Int) -> ReportSnapshot {
        ReportSnapshot(
            product: Product.ID(rawValue: "product\(number % 5)"), customerPrice: Money(milliunits: 990, .usd),
            proceeds: Money(milliunits: 693, .usd), storefront: .usa,
            state: ReportSnapshot.State.allCases[number % 3])
    }

    private func counts(
        _ database: Database, endOf day: PacificDay, _ key: RollUpKey
    ) async throws -> [ReportSnapshot: Int64] {
        let rows = try await database.read { try ReportSnapshotsTable.snapshots(endOf: day, key, on: $0) }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.snapshot, $0.count) })
    }

    @Test(arguments: Engine.allCases)
    func `counts are the sum of all changes up to the day, in whatever order they came`(engine: Engine) async throws {
        let database = try engine.makeDatabase()
        var naive: [PacificDay: [ReportSnapshot: Int64]] = [:]
        var state: UInt64 = 42
        func next(_ count: Int64) -> Int64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64(state >> 33) % count
        }
        for batch in 0..<40 {
            var changes: [PacificDay: [ReportSnapshot: Int64]] = [:]
            for _ in 0..<8 {
                // Days pass with the batches; one change of four is for any earlier day.
                let latest = Int64(batch) * Self.days / 40
                let day = Self.first.adding(next(4) == 0 ? next(latest + 1) : latest)
                let snapshot = Self.snapshot(Int(next(15)))
                changes[day, default: [:]][snapshot, default: 0] += next(5) - 1
            }
            for (day, added) in changes { naive[day, default: [:]].merge(added) { $0 + $1 } }
            let written = changes
            try await database.write { [key] in try ReportSnapshotsTable.add(written, key, on: $0) }
        }
        for number in -1...Self.days {
            let day = Self.first.adding(number)
            var expected: [ReportSnapshot: Int64] = [:]
            for (_, changes) in naive.filter({ $0.key <= day }) { expected.merge(changes) { $0 + $1 } }
            #expect(try await counts(database, endOf: day, key) == expected.filter { $0.value != 0 }, "\(day)")
        }
        #expect(try await counts(database, endOf: Self.first.adding(Self.days), other).isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func `a generation is deleted in portions, and no other one`(engine: Engine) async throws {
        let database = try engine.makeDatabase()
        let changes = Dictionary(
            uniqueKeysWithValues: (0..<30).map { (Self.first.adding(Int64($0)), [Self.snapshot($0): Int64(1)]) })
        for key in [key, other] {
            try await database.write { try ReportSnapshotsTable.add(changes, key, on: $0) }
        }
        var portions = 1
        while try await !database.write({ [key] in try ReportSnapshotsTable.erase(key, atMost: 7, on: $0) }) {
            portions += 1
        }
        #expect(portions > 5)
        let last = Self.first.adding(100)
        #expect(try await counts(database, endOf: last, key).isEmpty)
        #expect(try await counts(database, endOf: last, other).values.reduce(0, +) == 30)
    }
}
