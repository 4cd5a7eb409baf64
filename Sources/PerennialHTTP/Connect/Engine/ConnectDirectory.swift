/// The operations that the store serves: the tables and the bindings of their types.
struct ConnectDirectory: Sendable {
    /// The directory of all bindings: made once in a process, since it follows from constants.
    static let current = ConnectDirectory(bindings: ConnectBindings.all)

    let schema: ConnectSchema
    /// The bindings by type.
    let bindings: [String: ConnectBinding]
    private let parameters: [String: ConnectParameters]

    init(schema: ConnectSchema = .current, bindings: [ConnectBinding]) {
        self.schema = schema
        self.bindings = ConnectBinding.merged(bindings)
        parameters = schema.operations.mapValues { ConnectParameters($0, schema) }
    }

    func parameters(_ operation: ConnectOperation) -> ConnectParameters {
        parameters[operation.name] ?? ConnectParameters(operation, schema)
    }

    /// Returns the relationships of an operation that a query includes.
    func includes(_ operation: ConnectOperation, _ query: ConnectQuery) -> [ConnectRelationship] {
        guard let names = query.values("include") else { return [] }
        return schema.includable(operation).filter { names.contains($0.name) }
    }

    /// Returns true if the store serves an operation: by its binding, or by a handler of its own.
    func isServed(_ operation: ConnectOperation) -> Bool {
        guard operation.verdict != .refuse, let binding = bindings[operation.type] else { return false }
        if binding.custom[operation.name] != nil { return true }
        return switch operation.action {
        case .list: binding.list != nil
        case .read: !binding.isAddition
        case .create: binding.create != nil
        case .update: binding.update != nil
        case .delete: binding.delete != nil
        case .related(let name), .linkages(let name): binding.related[name] != nil
        case .setLinkages(let name): binding.setRelated[name] != nil
        case .addLinkages(let name): binding.addRelated[name] != nil
        case .removeLinkages(let name): binding.removeRelated[name] != nil
        }
    }

    /// Describes the refusal of a request for an operation that isn't served, or for an unknown path.
    ///
    /// - Parameter operations: Those of the path.
    func refusal(_ method: String, _ path: String, _ operations: [ConnectOperation]) -> ConnectFailure {
        let parts = path.split(separator: "/").map(String.init)
        let known = schema.types.values.filter { $0.path == parts.prefix(2).joined(separator: "/") }
        if let operation = operations.first(where: { $0.method == method }) ?? operations.first {
            let isKnown = operation.method == method
            return .notAllowed(
                operation.type.split(separator: ".").first.map(String.init) ?? operation.type,
                isKnown ? operation.word : method, allowed: allowed(known),
                isKnown ? ConnectUnserved.reason(operation) : nil)
        }
        guard parts.count >= 2 else { return .unknownPath(path) }
        // Apple's resources that the store hasn't, and relationships that lead to them.
        let name = parts.count > 3 && !known.isEmpty ? parts[parts.count - 1] : parts[1]
        if let reason = ConnectUnserved.reason(of: name) {
            return .notAllowed(name, method, allowed: [], reason)
        }
        let isInstance = parts.count <= 3 && !known.isEmpty
        guard isInstance else { return .unknownPath(path) }
        let word = parts.count == 2 && method == "GET" ? "GET_COLLECTION" : method == "GET" ? "GET_INSTANCE" : method
        return .notAllowed(parts[1], word, allowed: allowed(known), nil)
    }

    private func allowed(_ types: [ConnectType]) -> [String] {
        let words = types.flatMap(\.operations).filter(isServed).map(\.word)
        return ["CREATE", "DELETE", "GET_COLLECTION", "GET_INSTANCE", "UPDATE"].filter(words.contains)
    }
}
