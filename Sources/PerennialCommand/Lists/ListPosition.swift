import ArgumentParser

/// A position of the journal or of the catalog's changes, as commands take it.
enum ListPosition {
    /// The positions that a list begins after: control/v1 takes 18 digits, also of the one behind.
    private static let allowed: ClosedRange<Int64> = 0...999_999_999_999_999_998

    /// Checks an option's position.
    ///
    /// - Throws: `ValidationError` with the positions that are allowed.
    static func check(_ position: Int64?, of option: String) throws {
        guard let position, !allowed.contains(position) else { return }
        throw ValidationError("\(option) is a position: \(allowed.lowerBound) to \(allowed.upperBound).")
    }
}
