import Perennial

/// A place in the journals of an environment's apps, from which a watcher goes on.
///
/// As text it is the position alone for all apps, such as `534`, or one for each app: `1000000001-534,1000000002-77`.
package struct LivePosition: Sendable, Equatable {
    /// The most apps in a text.
    private static let maximumApps = 10_000

    /// The position of the last entry that was seen, by app.
    package var positions: [Int64: Int64]
    /// The position in the journals of all other apps.
    package var others: Int64

    package init(positions: [Int64: Int64] = [:], others: Int64 = 0) {
        self.positions = positions
        self.others = others
    }

    /// - Returns: `nil` for a text that is no position.
    package init?(_ text: String) {
        self.init()
        if let position = Int64(text), position >= 0 {
            others = position
            return
        }
        let parts = text.split(separator: ",", maxSplits: Self.maximumApps, omittingEmptySubsequences: false)
        guard parts.count <= Self.maximumApps else { return nil }
        for part in parts {
            let numbers = part.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
            guard numbers.count == 2, let app = numbers[0], let position = numbers[1], app >= 0, position >= 0 else {
                return nil
            }
            positions[app] = position
        }
    }

    package var text: String {
        guard !positions.isEmpty else { return "\(others)" }
        return positions.sorted { $0.key < $1.key }.map { "\($0.key)-\($0.value)" }.joined(separator: ",")
    }

    /// Returns true if the journals have never come to this position: the environment was emptied since.
    ///
    /// The position of all apps together is one of the longest journal.
    /// - Parameters:
    ///   - heads: The journals' last positions, by app.
    ///   - app: The watched app; `nil` for all.
    func isBeyond(_ heads: [Int64: Int64], of app: Int64?) -> Bool {
        if positions.contains(where: { (app == nil || app == $0.key) && $0.value > heads[$0.key] ?? 0 }) { return true }
        if let app { return self[app] > heads[app] ?? 0 }
        return others > heads.values.max() ?? 0
    }

    package subscript(_ app: Int64) -> Int64 { positions[app] ?? others }
}
