/// A file that the seller's server delivers to customers: an issue, a chapter, a pack of filters.
package struct Content: Hashable, Sendable {
    /// The seller's ID of a content, unique in an app: `issue-2026-01`.
    package struct ID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package var description: String { rawValue }
        package static func < (one: ID, other: ID) -> Bool { one.rawValue < other.rawValue }
    }

    package var id: ID
    /// The products that unlock it, each at any time.
    package var unlockedBy: [Product.ID]
    package var version: String
    /// The path in the seller's content folder.
    package var file: String
    /// The file name on a device.
    package var filename: String
    /// The date of publication.
    package var published: Instant?
    /// The subscriptions that include it. It stays with customers who had a paid period when it was published.
    /// Without a date it is available during a period.
    package var includedIn: [Product.ID]
    /// Other content that it requires.
    package var requires: [ID]

    /// Creates a content.
    /// - Parameter filename: `nil` for the last component of `file`.
    package init(
        id: ID, unlockedBy: [Product.ID], version: String = "1.0", file: String, filename: String? = nil,
        published: Instant? = nil, includedIn: [Product.ID] = [], requires: [ID] = []
    ) {
        self.id = id
        self.unlockedBy = unlockedBy
        self.version = version
        self.file = file
        self.filename = filename ?? file.split(separator: "/").last.map(String.init) ?? file
        self.published = published
        self.includedIn = includedIn
        self.requires = requires
    }
}

/// A content definition that breaks a rule.
package struct ContentProblem: Hashable, Sendable {
    package let content: Content.ID
    package let reason: String
}

extension [Content] {
    /// Returns the problems of these definitions for an app, in their order; empty if there are none.
    package func problems(in app: App) -> [ContentProblem] {
        let types = Dictionary(app.products.map { ($0.id, $0.type) }) { first, _ in first }
        var seen: Set<Content.ID> = []
        let all = Set(map(\.id))
        return flatMap { content in
            var reasons: [String] = []
            if !seen.insert(content.id).inserted { reasons.append("the ID names another content as well") }
            if !ProductValidation.isWellFormed(identifier: content.id.rawValue) {
                reasons.append("the ID must be \(ProductValidation.identifierRule)")
            }
            reasons += content.pathReasons
            reasons += content.productReasons(types)
            for id in content.requires where !all.contains(id) || id == content.id {
                reasons.append("requires \(id), which is no other content of this app")
            }
            return reasons.map { ContentProblem(content: content.id, reason: $0) }
        }
    }
}

extension Content {
    fileprivate var pathReasons: [String] {
        let components = file.split(separator: "/", omittingEmptySubsequences: false)
        let isInside = !components.contains { $0.isEmpty || $0 == "." || $0 == ".." } && !file.contains("\\")
        var reasons: [String] = []
        if !isInside || file.utf8.contains(where: { $0 < 0x20 }) {
            reasons.append("the file must be a relative path inside the content folder, not '\(file)'")
        }
        if filename.isEmpty || filename.contains(where: { $0 == "/" || $0 == "\\" })
            || filename.utf8.contains(where: { $0 < 0x20 })
        {
            reasons.append("the filename must be a name without a folder, not '\(filename)'")
        }
        return reasons
    }

    fileprivate func productReasons(_ types: [Product.ID: ProductType]) -> [String] {
        var reasons: [String] = []
        for id in unlockedBy + includedIn where types[id] == nil {
            reasons.append("\(id) is no product of this app")
        }
        for id in includedIn {
            if let type = types[id], type == .consumable || type == .nonConsumable {
                reasons.append("\(id) has no paid period that could include it: it is no subscription")
            }
        }
        if unlockedBy.isEmpty, includedIn.isEmpty { reasons.append("no product unlocks it") }
        return reasons
    }
}
