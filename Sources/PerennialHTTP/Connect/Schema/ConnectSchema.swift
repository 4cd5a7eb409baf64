import Foundation

/// The resource types and operations of the tables, parsed.
struct ConnectSchema: Sendable {
    /// The tables in ``ConnectTables``.
    static let current = ConnectSchema(ConnectTables.types, enumerations: ConnectTables.enumerations)

    /// The types by name.
    let types: [String: ConnectType]
    /// The operations by name.
    let operations: [String: ConnectOperation]
    /// The types in the order of the tables.
    let typeNames: [String]
    /// The operations by path.
    private let byPath: [String: [ConnectOperation]]

    init(_ tables: [String], enumerations: String) {
        let enumerations = Self.enumerations(enumerations)
        var (types, names): ([String: ConnectType], [String]) = ([:], [])
        for block in tables.flatMap(Self.blocks) {
            let type = Self.type(block, enumerations)
            types[type.name] = type
            names.append(type.name)
        }
        let operations = names.flatMap { types[$0]?.operations ?? [] }
        self.types = types
        typeNames = names
        self.operations = Dictionary(operations.map { ($0.name, $0) }) { first, _ in first }
        byPath = Dictionary(grouping: operations, by: \.path)
    }

    func type(_ name: String) -> ConnectType? { types[name] }

    /// Returns the operations of a path.
    ///
    /// - Parameter path: Without an environment: `/v1/apps/1000000001/subscriptionGroups`.
    func operations(at path: String) -> (operations: [ConnectOperation], id: String) {
        var parts = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        var id = ""
        if parts.count >= 3 { (id, parts[2]) = (parts[2].removingPercentEncoding ?? "", "{id}") }
        return (byPath[parts.joined(separator: "/")] ?? [], id)
    }

    /// Returns the type of the resources that an operation answers with; `nil` if it answers with another form.
    func answered(by operation: ConnectOperation) -> ConnectType? {
        switch operation.action {
        case .related(let name), .linkages(let name), .setLinkages(let name), .addLinkages(let name),
            .removeLinkages(let name):
            types[operation.type]?.relationship(name)?.target.flatMap { types[$0] }
        case .list, .create, .read, .update, .delete: types[operation.type]
        }
    }

    /// Returns the relationships that an operation may include: those with data. Price points come with one product only,
    /// because a product has many of them, and apps that a user sees come alone.
    func includable(_ operation: ConnectOperation) -> [ConnectRelationship] {
        let isList =
            switch operation.action {
            case .list: true
            case .related(let name): types[operation.type]?.relationship(name)?.isToMany ?? false
            case .read: false
            default: true
            }
        switch operation.action {
        case .list, .read: break
        case .related("visibleApps"): return []
        case .related: break
        default: return []
        }
        return answered(by: operation)?.relationships.filter {
            $0.isIncludable && !(isList && $0.name == "pricePoints")
        } ?? []
    }
}
