/// The way through a list of the store in pages, which ends: a store that always has more isn't asked forever.
struct PageProgress: Sendable {
    /// Maximum number of pages of a list; at 200 entries each more than any customer has. A limit of ours.
    static let maximumPages = 1_000

    /// Revision of the last page, after which the next one is asked for; `nil` for the first page of a whole list.
    private(set) var revision: String?
    private var seen: Set<String> = []
    private var pages = 0

    /// Begins a list after a revision; `nil` for a whole list.
    init(after revision: String?) {
        self.revision = revision
        if let revision { seen.insert(revision) }
    }

    /// Goes on to the page after a page that isn't the last one.
    ///
    /// - Parameters:
    ///   - revision: Revision of the page; `nil` if it has none.
    ///   - entries: Number of entries of the page.
    /// - Throws: ``StoreFailure`` for a page without entries, one whose revision an earlier page had, and after ``maximumPages``.
    mutating func advance(to revision: String?, entries: Int) throws(StoreFailure) {
        pages += 1
        guard let revision, seen.insert(revision).inserted else { throw Self.endless("a page repeats a revision") }
        guard entries > 0 else { throw Self.endless("a page has no entries, and isn't the last one") }
        guard pages < Self.maximumPages else { throw Self.endless("more than \(Self.maximumPages) pages") }
        self.revision = revision
    }

    private static func endless(_ reason: String) -> StoreFailure {
        StoreFailure(.unknown, message: "the store's list has no end: \(reason)", isStoresAnswer: true)
    }
}
