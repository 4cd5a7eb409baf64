/// Positions of IDs in a list. Copies share all but the newest positions, as those of ``SharedList``.
struct PositionIndex: Sendable {
    /// Newest positions that are copied with each change.
    private static let maximumRecent = 128

    private var base: [UInt64: Int] = [:]
    /// Positions that aren't in `base`, or differ from it.
    private var recent: [UInt64: Int] = [:]

    init() {}

    var count: Int { recent.keys.reduce(base.count) { base[$1] == nil ? $0 + 1 : $0 } }

    subscript(id: UInt64) -> Int? { recent[id] ?? base[id] }

    mutating func set(_ position: Int, of id: UInt64) {
        recent[id] = position
        if recent.count > Self.maximumRecent { merge() }
    }

    /// Makes place for many IDs, whose positions then are set without a copy for some of them.
    mutating func set(_ ids: some Sequence<(UInt64, Int)>, reserving count: Int) {
        merge()
        base.reserveCapacity(base.count + count)
        for (id, position) in ids { base[id] = position }
    }

    private mutating func merge() {
        base.merge(recent) { $1 }
        recent = [:]
    }
}
