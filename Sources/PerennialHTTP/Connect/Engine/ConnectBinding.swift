import Hummingbird

/// The attributes of a resource, all of them: ``ConnectValue/null`` where one is unset.
typealias ConnectAttributes = [String: ConnectValue]

/// Connects a resource type of the App Store Connect API to the store's own data.
///
/// The tables of `Schema/` say which members and operations a type has, and the engine serves every operation from them.
/// A binding only reads and changes what a type stands for. Its closures run synchronously inside one transaction.
struct ConnectBinding: Sendable {
    typealias Read = @Sendable (_ id: String, _ at: ConnectReading) throws -> ConnectAttributes?
    typealias Related = @Sendable (_ id: String, _ at: ConnectReading) throws -> ConnectRelated
    typealias SetRelated = @Sendable (_ id: String, _ ids: [String], _ at: ConnectEditing) throws -> Void
    /// Returns the IDs whose resources have one of a filter's values, in the same order.
    typealias Filter = @Sendable (_ ids: ConnectIDs, _ values: Set<String>, _ at: ConnectReading) throws -> ConnectIDs

    /// The name in the tables: the JSON type (`inAppPurchases`), with `.v2` after it where two versions of a resource
    /// share their JSON type: `inAppPurchaseLocalizations.v2`, `inAppPurchaseImages.v2`.
    let type: String
    /// Returns the attributes of a resource; `nil` if there is none with the ID.
    var read: Read
    /// Returns the IDs of all resources of the type, for types with a list of their own (`v1/apps`, `v1/territories`).
    var list: (@Sendable (_ at: ConnectReading) throws -> ConnectIDs)?
    /// Returns the IDs of related resources, in order, by the relationship's name. The engine asks only for resources
    /// that `read` knows.
    var related: [String: Related] = [:]
    /// Creates a resource and returns its ID. The engine has checked the entity against the tables.
    var create: (@Sendable (_ entity: ConnectEntity, _ at: ConnectEditing) throws -> String)?
    var update: (@Sendable (_ id: String, _ entity: ConnectEntity, _ at: ConnectEditing) throws -> Void)?
    var delete: (@Sendable (_ id: String, _ at: ConnectEditing) throws -> Void)?
    /// Replace, add and remove related resources: PATCH, POST and DELETE of `…/{id}/relationships/NAME`.
    var setRelated: [String: SetRelated] = [:]
    var addRelated: [String: SetRelated] = [:]
    var removeRelated: [String: SetRelated] = [:]
    /// Filters of lists of this type by name (`territory` for `filter[territory]`), where comparing an attribute or a
    /// related resource's ID isn't enough or takes too long.
    var filters: [String: Filter] = [:]
    /// Handlers of operations that the engine doesn't serve by itself, by operation: `GET v1/things/{id}/values`. The
    /// engine has checked the caller's role, the query and the body.
    var custom: [String: @Sendable (_ call: ConnectCall) async throws -> Response] = [:]
    /// Returns the Apple ID of the app that a resource belongs to; `nil` for one of no app. Users who see only some apps
    /// get 404 for the resources of others. Without it, all callers see all resources of the type.
    var app: (@Sendable (_ id: String, _ at: ConnectReading) throws -> Int64?)?
    /// The relationship to the parent whose ID a resource has. Such a resource is absent until it is created, and creating
    /// it again replaces it.
    var parent: String?
    /// Returns the ID of the resource that creating an entity replaces; `nil` if it replaces none. Without it, that is the
    /// resource of the ``parent``.
    var replaced: (@Sendable (_ entity: ConnectEntity, _ at: ConnectReading) throws -> String?)?
    /// Returns what requests replace together with the attributes: the storefronts of an availability, the prices of a
    /// schedule. Entity tags cover it.
    var content: (@Sendable (_ id: String, _ at: ConnectReading) throws -> [String])?
    /// Attributes that each reading gives another value. Entity tags leave them out.
    var unstable: Set<String> = []
    /// True if attributes and relationships follow from the catalog and the day alone, so that answers may be cached.
    var followsFromCatalog = false
    /// True for an addition to the binding of another topic.
    var isAddition = false
}

extension ConnectBinding {
    /// Adds to the binding of a type that another topic owns: prices lead from products to their prices, for example.
    ///
    /// Relationships, filters and handlers are added. ``update`` and ``delete``, if set, run before the owner's, in the same
    /// transaction: for the members that the other topic keeps.
    static func addition(to type: String) -> ConnectBinding {
        var addition = ConnectBinding(type: type, read: { _, _ in nil })
        addition.isAddition = true
        return addition
    }

    /// Returns the ID of the resource that creating an entity would replace.
    func replaced(by entity: ConnectEntity, _ at: ConnectReading) throws -> String? {
        if let replaced { return try replaced(entity, at) }
        // Creating a resource that has its parent's ID replaces it.
        return parent.flatMap { entity.one($0) }
    }

    /// Joins bindings of the same type: one that owns it, and additions.
    static func merged(_ bindings: [ConnectBinding]) -> [String: ConnectBinding] {
        var merged: [String: ConnectBinding] = [:]
        for binding in bindings.filter({ !$0.isAddition }) + bindings.filter(\.isAddition) {
            guard var owner = merged[binding.type] else {
                merged[binding.type] = binding
                continue
            }
            owner.add(binding)
            merged[binding.type] = owner
        }
        return merged
    }

    private mutating func add(_ other: ConnectBinding) {
        related.merge(other.related) { _, added in added }
        setRelated.merge(other.setRelated) { _, added in added }
        addRelated.merge(other.addRelated) { _, added in added }
        removeRelated.merge(other.removeRelated) { _, added in added }
        filters.merge(other.filters) { _, added in added }
        custom.merge(other.custom) { _, added in added }
        list = list ?? other.list
        create = create ?? other.create
        app = app ?? other.app
        content = content ?? other.content
        replaced = replaced ?? other.replaced
        if let own = update, let added = other.update {
            update = { id, entity, at in
                try added(id, entity, at)
                try own(id, entity, at)
            }
        } else {
            update = update ?? other.update
        }
        if let own = delete, let added = other.delete {
            delete = { id, at in
                try added(id, at)
                try own(id, at)
            }
        } else {
            delete = delete ?? other.delete
        }
    }
}

/// The resources that a relationship leads to.
enum ConnectRelated {
    case none
    case one(String)
    case many(ConnectIDs)

    static func optional(_ id: String?) -> ConnectRelated { id.map { .one($0) } ?? .none }
    static func many(_ ids: [String]) -> ConnectRelated { .many(ConnectIDs(ids)) }
}

/// IDs in order. An ID is computed when it is asked for: lists may be long, and a page needs only some of them.
struct ConnectIDs {
    let count: Int
    /// The filters of the request that were applied in making the list, by name. The engine applies the others.
    var appliedFilters: Set<String> = []
    private let makeID: (Int) throws -> String

    init(_ ids: [String]) {
        count = ids.count
        makeID = { ids[$0] }
    }

    /// - Parameter id: Returns the ID at an index below `count`.
    init(count: Int, id: @escaping (_ index: Int) throws -> String) {
        self.count = count
        makeID = id
    }

    func id(at index: Int) throws -> String { try makeID(index) }

    func all() throws -> [String] { try (0..<count).map(makeID) }

    func filter(_ isIncluded: (String) throws -> Bool) throws -> ConnectIDs {
        var filtered = ConnectIDs(try all().filter(isIncluded))
        filtered.appliedFilters = appliedFilters
        return filtered
    }

    /// States that filters were applied in making the list.
    func applied(_ filters: String...) -> ConnectIDs {
        var ids = self
        ids.appliedFilters.formUnion(filters)
        return ids
    }
}
