import Foundation
import Perennial

/// What goes wrong on purpose with an app's notifications, so that its receiver can be tested: everything that may happen
/// on the way from the App Store as well. Which notifications it hits follows from the seed alone.
package struct NotificationTrouble: Sendable, Equatable, Codable {
    /// Limits of ours.
    package static let maximumCopies: Int64 = 100
    package static let maximumDrops: Int64 = 100
    package static let maximumDelay: Int64 = .days(30)

    package var seed: UInt64
    /// Of 100 notifications, how many each rule hits.
    package var percentage: Int64
    /// How many times more a notification is sent.
    package var duplicates: Int64
    /// How long a notification is held back at most, in milliseconds: each by another time.
    package var delay: Int64
    /// Whether notifications of one subscription may overtake each other: within the delay, or, without one, each that is
    /// hit goes behind the next.
    package var reorders: Bool
    /// How many attempts of each notification get lost on the way.
    package var dropsFirst: Int64
    /// Whether an old notification is sent once more after the next one of its subscription.
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

    init(json: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(json.utf8)) }

    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    func check() throws {
        let limits: [(String, Int64, Int64)] = [
            ("percentage", percentage, 100), ("duplicates", duplicates, Self.maximumCopies),
            ("delay", delay, Self.maximumDelay), ("dropsFirst", dropsFirst, Self.maximumDrops),
        ]
        for (name, value, limit) in limits where !(0...limit).contains(value) {
            throw NotificationError(.malformedTrouble, name, "\(name) is 0 to \(limit)")
        }
    }
}

extension NotificationTrouble {
    private enum Rule: UInt64 { case duplicate, delay, drop, stale, swap }

    /// A number that follows from seed, rule and notification (SplitMix64).
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

    /// How many times more a notification is sent.
    func copies(_ position: Int64, _ part: Int64) -> Int64 {
        hits(.duplicate, position, part) ? duplicates : 0
    }

    /// How long a notification is held back, in milliseconds.
    func heldBack(_ position: Int64, _ part: Int64) -> Int64 {
        guard delay > 0, hits(.delay, position, part) else { return 0 }
        // Another number than the one that says whether, or only small delays would come of a small percentage.
        return Int64(number(.delay, ~position, part) % UInt64(clamping: delay)) + 1
    }

    /// Whether what is hit changes places with the next notification of its subscription.
    var swaps: Bool { reorders && delay == 0 }

    /// Whether a notification waits for its subscription's next one, and goes behind it.
    func waitsForNext(_ position: Int64, _ part: Int64) -> Bool {
        swaps && hits(.swap, position, part)
    }

    /// Whether an attempt gets lost on the way.
    func drops(attempt: Int, _ position: Int64, _ part: Int64) -> Bool {
        attempt < Int(dropsFirst) && hits(.drop, position, part)
    }

    /// Whether a notification is sent once more after its subscription's next one.
    func sendsAgain(_ position: Int64, _ part: Int64) -> Bool {
        stale && hits(.stale, position, part)
    }
}
