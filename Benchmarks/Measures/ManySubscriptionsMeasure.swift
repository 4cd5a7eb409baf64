import Foundation
import Perennial
import PerennialStorage
import PerennialStore

/// The cost of a renewal among a million subscriptions, of finding none due, and of a whole month.
enum ManySubscriptionsMeasure: Measure {
    static let name = "many-subscriptions"
    private static let many = 1_000_000
    private static let few = 10_000
    private static let looks = 200
    private static let lookSeconds = 0.001

    static func measure(_ bench: Bench) async throws -> [Figure] {
        let large = try await PopulatedSubscriptions.make(bench.count(many), .bought, bench)
        let small = try await PopulatedSubscriptions.make(few, .bought, bench)
        defer { for populated in [large, small] { populated.close() } }
        let nothing = try await findNothing(in: large)
        let growth = try await compare(large, small, bench)
        return [nothing, growth, try await month(of: large)]
    }

    private static func findNothing(in large: PopulatedSubscriptions) async throws -> Figure {
        let now = try await large.store.now()
        var seconds: [Double] = []
        for _ in 0..<looks {
            seconds.append(
                try await Stopwatch.seconds {
                    guard try await large.store.renewals.processDue(until: now) == 0 else {
                        throw BenchmarkError("due")
                    }
                })
        }
        return Figure(
            "finding nothing due among \(large.count)", "µs", ours: seconds.median * 1e6, limit: lookSeconds * 1e6,
            .atMost(1.0), notes: [large.note])
    }

    /// The same number of renewals in both: a hundredth of the large one's month is the small one's month.
    private static func compare(
        _ large: PopulatedSubscriptions, _ small: PopulatedSubscriptions, _ bench: Bench
    ) async throws -> Figure {
        var (costs, limits): ([Double], [Double]) = ([], [])
        let rounds = 4
        for round in 1...rounds {
            let part = Double(round) / Double(rounds)
            limits.append(try await secondsPerRenewal(small, part))
            costs.append(try await secondsPerRenewal(large, part * Double(small.count) / Double(large.count)))
        }
        // The first warms up.
        return Figure(
            "a renewal with \(large.count) stored, beside \(small.count)", "µs",
            ours: Array(costs.dropFirst()).median * 1e6, limit: Array(limits.dropFirst()).median * 1e6, .atMost(1.3),
            notes: [small.note])
    }

    private static func secondsPerRenewal(_ populated: PopulatedSubscriptions, _ part: Double) async throws -> Double {
        var made = 0
        let seconds = try await Stopwatch.seconds { made = try await populated.advance(toPartOfMonth: part) }
        return seconds / Double(max(1, made))
    }

    private static func month(of large: PopulatedSubscriptions) async throws -> Figure {
        var made = 0
        let seconds = try await Stopwatch.seconds { made = try await large.advance(toPartOfMonth: 1) }
        return Figure(
            "a month of \(large.count) subscriptions", "1/s", ours: Double(made) / seconds,
            notes: [String(format: "\(made) renewals in %.0f s", seconds)])
    }
}
