import BaseEncoding
import Perennial
import PerennialConnect

/// Bindings of review submissions, their items, and submissions of single products and groups.
enum ReviewBindings {
    static let all: [ConnectBinding] = [
        submissions, items, apps, direct("inAppPurchaseSubmissions", "inAppPurchaseV2", renews: false),
        direct("subscriptionSubmissions", "subscription", renews: true), groups,
    ]

    // MARK: - Submissions

    private static var submissions: ConnectBinding {
        @Sendable func found(_ id: String, _ at: ConnectReading) throws -> ReviewSubmission? {
            try at.catalog.reviewSubmission(id).flatMap { $0.platform == nil ? nil : $0 }
        }
        var binding = ConnectBinding(type: "reviewSubmissions") { id, at in
            try found(id, at).map {
                [
                    "platform": .optional($0.platform?.rawValue), "submittedDate": .dateTime($0.submitted),
                    "state": .text($0.state.rawValue),
                ]
            }
        }
        binding.list = { at in
            let apps =
                try at.filter("app").map { $0.compactMap { Int64(connectID: $0) } } ?? at.catalog.apps().map(\.appleID)
            let ids = try apps.sorted().flatMap { try at.catalog.reviewSubmissions(app: $0).map(\.id) }
            return ConnectIDs(ids).applied("app")
        }
        binding.related = [
            "app": { id, at in .optional(try found(id, at).map { String($0.app) }) },
            "items": { id, at in
                guard let submission = try found(id, at) else { return .many([]) }
                return .many(submission.items.map { ItemID(submission: id, number: $0.number).text })
            },
            "submittedByActor": { id, at in .optional(try found(id, at)?.submittedBy?.connectID) },
            "lastUpdatedByActor": { id, at in .optional(try found(id, at)?.lastUpdatedBy.connectID) },
        ]
        binding.create = { entity, at in
            let platform = try entity.text("platform").flatMap { ReviewSubmission.Platform(rawValue: $0) }
            return try at.catalog.openSubmission(app: try at.app(entity), platform: platform ?? .iOS)
        }
        binding.update = { id, entity, at in
            if try entity.bool("canceled") == true { try at.catalog.cancelSubmission(id) }
            if try entity.bool("submitted") == true { try at.catalog.submit(id) }
        }
        binding.app = { id, at in try found(id, at)?.app }
        return binding
    }

    // MARK: - Items

    /// The ID of an item: base64url of the submission's ID and the item's number.
    struct ItemID {
        let submission: String
        let number: Int

        init(submission: String, number: Int) {
            (self.submission, self.number) = (submission, number)
        }

        init?(_ text: String) {
            guard let bytes = Base64.decode(text, as: .url) else { return nil }
            let parts = String(decoding: bytes, as: UTF8.self).split(separator: "|")
            guard parts.count == 2, let number = Int(parts[1]) else { return nil }
            (submission, self.number) = (String(parts[0]), number)
            guard self.text == text else { return nil }
        }

        var text: String { Base64.encode(Array("\(submission)|\(number)".utf8), as: .url) }
    }

    private static var items: ConnectBinding {
        @Sendable func found(_ id: String, _ at: CatalogReader) throws -> (ReviewSubmission, ReviewSubmission.Item)? {
            guard let id = ItemID(id), let submission = try at.reviewSubmission(id.submission),
                let item = submission.item(id.number)
            else { return nil }
            return (submission, item)
        }
        @Sendable func version(renews: Bool) -> ConnectBinding.Related {
            { id, at in
                guard case .product(let product, let version)? = try found(id, at.catalog)?.1.subject,
                    try at.catalog.product(product)?.product.type.renews == renews
                else { return .none }
                return .one(version)
            }
        }
        var binding = ConnectBinding(type: "reviewSubmissionItems") { id, at in
            try found(id, at.catalog).map { ["state": .text($0.1.state.rawValue)] }
        }
        binding.related = [
            "inAppPurchaseVersion": version(renews: false), "subscriptionVersion": version(renews: true),
            "subscriptionGroupVersion": { id, at in
                guard case .group(_, let version)? = try found(id, at.catalog)?.1.subject else { return .none }
                return .one(version)
            },
        ]
        binding.create = { entity, at in
            let submission = try entity.requiredOne("reviewSubmission")
            guard let app = try at.catalog.reviewSubmission(submission)?.app, at.isVisible(app) else {
                throw entity.unknownRelated("reviewSubmission")
            }
            let number = try at.catalog.addItem(try subject(entity, at), toSubmission: submission)
            return ItemID(submission: submission, number: number).text
        }
        binding.update = { id, entity, at in
            guard let item = ItemID(id) else { return }
            if try entity.bool("removed") == true {
                try at.catalog.removeItem(item.number, fromSubmission: item.submission)
            }
            if try entity.bool("resolved") == true {
                try at.catalog.resolveItem(item.number, ofSubmission: item.submission)
            }
        }
        binding.delete = { id, at in
            guard let item = ItemID(id) else { return }
            try at.catalog.removeItem(item.number, fromSubmission: item.submission)
        }
        binding.app = { id, at in try found(id, at.catalog)?.0.app }
        return binding
    }

    /// The version that a new item names.
    private static func subject(_ entity: ConnectEntity, _ at: ConnectEditing) throws -> ReviewSubmission.Subject {
        let kinds = ["inAppPurchaseVersion", "subscriptionVersion", "subscriptionGroupVersion"]
        let named = kinds.filter { entity.one($0) != nil }
        let others = entity.relationships.keys.filter { !kinds.contains($0) && $0 != "reviewSubmission" }.sorted()
        if let other = others.first(where: { entity.one($0) != nil }) {
            throw CatalogEditError(
                .relationshipInvalid, at: .relationship(other),
                "This store reviews products and subscription groups only")
        }
        guard named.count == 1, let id = entity.one(named[0]) else {
            throw CatalogEditError(
                .relationshipRequired, at: .relationship(named.dropFirst().first ?? kinds[0]),
                "You must provide a value for exactly one of the relationships \(kinds.joined(separator: ", "))")
        }
        if named[0] == kinds[2] {
            guard let found = try at.catalog.group(ofPart: id, .groupVersion), at.isVisible(found.app) else {
                throw entity.unknownRelated(named[0])
            }
            return .group(found.key, version: id)
        }
        guard let product = try at.catalog.product(ofPart: id, .version, renews: named[0] == kinds[1]),
            product.version(id) != nil
        else { throw entity.unknownRelated(named[0]) }
        return .product(product.appleID, version: id)
    }

    private static var apps: ConnectBinding {
        var binding = ConnectBinding.addition(to: "apps")
        binding.related["reviewSubmissions"] = { id, at in
            guard let app = Int64(connectID: id) else { return .many([]) }
            return .many(try at.catalog.reviewSubmissions(app: app).map(\.id))
        }
        return binding
    }

    // MARK: - Direct submissions

    private static func direct(_ type: String, _ relationship: String, renews: Bool) -> ConnectBinding {
        @Sendable func product(_ id: String, _ at: ConnectReading) throws -> Int64? {
            guard let submission = try at.catalog.reviewSubmission(id), submission.platform == nil,
                case .product(let product, _)? = submission.items.first?.subject,
                try at.catalog.product(product)?.product.type.renews == renews
            else { return nil }
            return product
        }
        var binding = ConnectBinding(type: type) { id, at in try product(id, at).map { _ in [:] } }
        binding.related[relationship] = { id, at in .optional(try product(id, at).map { String($0) }) }
        binding.create = { entity, at in
            let number = try at.product(entity, relationship, renews: renews)
            let version = try at.catalog.product(number)?.currentVersion.id ?? ""
            return try at.catalog.submitDirectly(.product(number, version: version))
        }
        binding.app = { id, at in try at.catalog.reviewSubmission(id)?.app }
        return binding
    }

    private static var groups: ConnectBinding {
        var binding = ConnectBinding(type: "subscriptionGroupSubmissions") { id, at in
            guard let submission = try at.catalog.reviewSubmission(id), submission.platform == nil,
                case .group? = submission.items.first?.subject
            else { return nil }
            return [:]
        }
        binding.create = { entity, at in
            let found = try at.group(entity, "subscriptionGroup")
            return try at.catalog.submitDirectly(.group(found.key, version: found.group.currentVersion.id))
        }
        binding.app = { id, at in try at.catalog.reviewSubmission(id)?.app }
        return binding
    }
}

extension CatalogActor {
    /// The ID of the resource `actors`; `nil` for an author outside of the App Store Connect API.
    var connectID: String? {
        switch self {
        case .key(let id): id
        case .user, .control, .file, .commandLine: nil
        }
    }
}
