import Foundation

/// The contents that a device knows, with what it was asked for and what it has.
struct LibraryJournal: Codable, Sendable, Equatable {
    /// A complete file.
    struct InstalledFile: Codable, Sendable, Equatable {
        var sha256: String
        var size: Int64
        /// Path from the library's folder.
        var path: String
    }

    struct Entry: Codable, Sendable, Equatable {
        /// Newest known description.
        var content: GrantedContent
        /// True if the content is to be on this device.
        var isWanted = false
        var isPaused = false
        /// Complete file; of an older version if its digest isn't the content's.
        var installed: InstalledFile?

        var isCurrent: Bool { installed?.sha256 == content.sha256.lowercased() }
        var needsDownload: Bool { isWanted && !isPaused && !isCurrent }
    }

    /// Version of the file's format.
    var format = 1
    /// Contents in the order in which they became known.
    var entries: [Entry] = []

    subscript(id: String) -> Entry? {
        entries.first { $0.content.contentId == id }
    }

    mutating func change(_ id: String, _ body: (inout Entry) -> Void) {
        guard let index = entries.firstIndex(where: { $0.content.contentId == id }) else { return }
        body(&entries[index])
    }

    /// Takes the contents of a grant: adds new ones and updates the others.
    mutating func merge(_ contents: [GrantedContent], wantsNew: Bool) {
        var indices: [String: Int] = [:]
        for (index, entry) in entries.enumerated() { indices[entry.content.contentId] = index }
        for content in contents {
            if let index = indices[content.contentId] {
                entries[index].content = content
            } else {
                indices[content.contentId] = entries.count
                entries.append(Entry(content: content, isWanted: wantsNew))
            }
        }
    }

    /// Removes entries and returns their IDs.
    mutating func remove(where isRemoved: (GrantedContent) -> Bool) -> [String] {
        let removed = entries.filter { isRemoved($0.content) }.map(\.content.contentId)
        entries.removeAll { isRemoved($0.content) }
        return removed
    }
}

/// A purchase whose content is delivered.
struct DeliveredPurchase: Codable, Sendable, Equatable {
    /// ID of the transaction; for a restored one also that of the original.
    var transactionIDs: [String]
    var productID: String

    /// Returns the contents that the purchase opens: those that name its transaction, else those that name its product.
    ///
    /// A transaction of a subscription opens the contents of its period; a free repeat of a purchase opens those of the first.
    func contents(among contents: [GrantedContent]) -> [GrantedContent] {
        let named = contents.filter { transactionIDs.contains($0.transactionId) }
        return named.isEmpty ? contents.filter { $0.productId == productID } : named
    }
}
