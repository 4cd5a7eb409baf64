import AppStoreFormats
import Perennial

/// A resource of a catalog that files can have: the app itself, a subscription group or a product.
package struct CatalogSubject: Hashable, Sendable, CustomStringConvertible {
    package var kind: CatalogChange.Subject
    /// The bundle ID, the group's ID or the product ID.
    package var id: String

    package init(_ kind: CatalogChange.Subject, _ id: String) {
        self.kind = kind
        self.id = id
    }

    package var description: String { "\(kind.rawValue) \(id)" }
}

/// A field that two versions of a catalog say differently.
package struct CatalogDifference: Hashable, Sendable, CustomStringConvertible {
    package var subject: CatalogSubject
    /// The keys to the field, such as `subscription.level` or `prices.DEU`; empty for the whole resource.
    package var field: String
    /// The value before; `nil` for none.
    package var before: String?
    package var after: String?

    /// `before` and `after` are `nil` for a value that a file leaves out.
    init(_ subject: CatalogSubject, _ path: [String], _ before: CatalogNode?, _ after: CatalogNode?) {
        self.subject = subject
        field = path.joined(separator: ".")
        self.before = before?.summary(of: path)
        self.after = after?.summary(of: path)
    }

    package var description: String {
        switch (field.isEmpty, before, after) {
        case (true, nil, _): "\(subject): added"
        case (true, _, nil): "\(subject): removed"
        case (_, let before, let after): "\(subject): \(field) \(before ?? "default") → \(after ?? "default")"
        }
    }

    /// Returns the differences between two versions of a resource, field by field.
    static func between(
        _ before: CatalogNode?, _ after: CatalogNode?, _ subject: CatalogSubject, _ path: [String] = []
    ) -> [CatalogDifference] {
        guard before != after else { return [] }
        if let before, let after, let parts = CatalogParts(before, after) {
            return parts.keys.flatMap { between(parts[before, $0], parts[after, $0], subject, path + [$0]) }
        }
        return [CatalogDifference(subject, path, before, after)]
    }
}

/// A field that a file and the store have changed differently since the last import.
package struct CatalogConflict: Hashable, Sendable, CustomStringConvertible {
    package var subject: CatalogSubject
    /// The keys to the field; empty for the whole resource.
    package var field: String
    /// The value of the last imported file; `nil` for none.
    package var base: String?
    package var file: String?
    package var store: String?

    init(_ subject: CatalogSubject, _ path: [String], base: CatalogNode?, file: CatalogNode?, store: CatalogNode?) {
        self.subject = subject
        field = path.joined(separator: ".")
        self.base = base?.summary(of: path)
        self.file = file?.summary(of: path)
        self.store = store?.summary(of: path)
    }

    package var description: String {
        if field.isEmpty {
            return file == nil
                ? "\(subject): removed from the file, edited in the store"
                : "\(subject): changed in the file, deleted in the store"
        }
        return "\(subject): \(field) is \(file ?? "missing") in the file and \(store ?? "missing") in the store; "
            + "the last imported file said \(base ?? "nothing")"
    }
}

extension CatalogNode {
    private static let longestSummary = 120
    private static let secretKey = "sharedSecret"

    /// The value in a line of a report. A secret is not shown.
    fileprivate func summary(of path: [String]) -> String {
        if path.last == Self.secretKey { return "<hidden>" }
        let text = inline
        return text.count > Self.longestSummary ? "\(text.prefix(Self.longestSummary))…" : text
    }
}
