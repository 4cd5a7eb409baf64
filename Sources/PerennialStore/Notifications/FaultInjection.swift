import Perennial

/// Deliberate faults in sending an app's notifications, to test its receiver: duplicates, delays, losses and wrong order,
/// as they may happen with the App Store. The seed alone decides which notifications they hit.
package struct FaultInjection: Sendable, Equatable, Codable {
    /// A limit of this store, as the next two are.
    package static let maximumCopies: Int64 = 100
    package static let maximumDrops: Int64 = 100
    package static let maximumDelay: Int64 = .days(30)

    package var seed: UInt64
    /// The share of notifications that each rule hits, in percent.
    package var percentage: Int64
    /// The number of additional copies.
    package var duplicates: Int64
    /// The longest delay in milliseconds. Each notification gets a delay of its own.
    package var delay: Int64
    /// True if notifications of one subscription may overtake each other: within the delay; without one, each that is hit
    /// follows the next.
    package var reorders: Bool
    /// The number of attempts that get lost before one arrives.
    package var dropsFirst: Int64
    /// True if an old notification is sent again after the subscription's next one.
    package var stale: Bool

    package init(
        seed: UInt64 = 1, percentage: Int64 = 100, duplicates: Int64 = 0, delay: Int64 = 0, reorders: Bool = false,
        dropsFirst: Int64 = 0, stale: Bool = false
    ) {
        self.seed = seed
        self.percentage = percentage
        self.duplicates = duplicates
        self.delay = delay
        self.reorders = reorders
        self.dropsFirst = dropsFirst
        self.stale = stale
    }

    init(json: String) throws { self = try StoredJSON.value(from: json) }

    var json: String { get throws { try StoredJSON.text(self, escapesSlashes: true) } }

    func check() throws {
        let limits: [(String, Int64, Int64)] = [
            ("percentage", percentage, 100), ("duplicates", duplicates, Self.maximumCopies),
            ("delay", delay, Self.maximumDelay), ("dropsFirst", dropsFirst, Self.maximumDrops),
        ]
        for (name, value, limit) in limits where !(0...limit).contains(value) {
            throw NotificationError(.malformedFaults, name, "\(name) is 0 to \(limit)")
        }
    }
}

extension FaultInjection {
    private enum Rule: UInt64 { case duplicate, delay, drop, stale, swap }

    /// Returns a hash of seed, rule and notification (SplitMix64).
    private func number(_ rule: Rule, _ position: Int64, _ part: Int64) -> UInt64 {
        var mixed =
            seed &+ rule.rawValue &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(bitPattern: position) &* 0xD1B5_4A32_D192_ED03
        mixed = mixed &+ UInt64(bitPattern: part) &* 0x8CB9_2BA7_2F3D_8DD7
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private func hits(_ rule: Rule, _ position: Int64, _ part: Int64) -> Bool {
        number(rule, position, part) % 100 < UInt64(clamping: percentage)
    }

    /// Returns the number of additional copies of a notification.
    func copies(_ position: Int64, _ part: Int64) -> Int64 {
        hits(.duplicate, position, part) ? duplicates : 0
    }

    /// Returns the delay of a notification in milliseconds.
    func delay(_ position: Int64, _ part: Int64) -> Int64 {
        guard delay > 0, hits(.delay, position, part) else { return 0 }
        // A hash of its own: the one that decides on the hit is small for a small percentage.
        return Int64(number(.delay, ~position, part) % UInt64(clamping: delay)) + 1
    }

    /// True if a notification that is hit changes places with the subscription's next one.
    var swaps: Bool { reorders && delay == 0 }

    /// Returns true if a notification waits for the subscription's next one and follows it.
    func waitsForNext(_ position: Int64, _ part: Int64) -> Bool {
        swaps && hits(.swap, position, part)
    }

    /// Returns true if an attempt gets lost.
    func drops(attempt: Int, _ position: Int64, _ part: Int64) -> Bool {
        attempt < Int(dropsFirst) && hits(.drop, position, part)
    }

    /// Returns true if a notification is sent again after the subscription's next one.
    func replaysStale(_ position: Int64, _ part: Int64) -> Bool {
        stale && hits(.stale, position, part)
    }
}
