import HTTPTypes
import Hummingbird
import Perennial
import PerennialConnect
import PerennialStore

/// Serves the operations of the tables: finds the operation, checks caller, query and body, and reads or edits through the
/// bindings.
final class ConnectEngine: Sendable {
    private let directory: ConnectDirectory
    private let editor: CatalogEditor
    private let cache = ConnectAnswerCache()

    private var schema: ConnectSchema { directory.schema }
    private var bindings: [String: ConnectBinding] { directory.bindings }

    init(_ directory: ConnectDirectory, editor: CatalogEditor) {
        (self.directory, self.editor) = (directory, editor)
    }

    /// Answers a request.
    ///
    /// - Throws: ``ConnectFailure``, and the errors that ``ConnectErrors`` translates.
    func answer(_ request: Request, _ context: ConnectContext) async throws -> Response {
        let path = ConnectPath(request.uri.path)?.path ?? request.uri.path
        // A HEAD is a GET without the body.
        let method = request.method == .head ? "GET" : request.method.rawValue
        let (operations, id) = schema.operations(at: path)
        guard let operation = operations.first(where: { $0.method == method }), directory.isServed(operation) else {
            throw directory.refusal(method, path, operations)
        }
        let (key, store) = (context.caller.key, context.caller.store)
        guard key.may(ConnectPermissions.needed(operation, schema)) else { throw ConnectFailure.forbidden }
        let query = try ConnectQuery(request, directory.parameters(operation))
        let types = includedTypes(operation, query)
        guard types.allSatisfy({ key.may(ConnectPermissions.reading($0.jsonType)) }) else {
            throw ConnectFailure.forbidden
        }
        var call = ConnectCall(
            operation: operation, store: store, editor: editor, request: request, id: id, query: query,
            links: await ConnectLinks(request, context), backpressure: WriteBackpressure(context), key: key)
        try await readBody(&call)
        if let handler = bindings[operation.type]?.custom[operation.name] {
            // Such a resource has no entity tag.
            if !operation.action.isReading { try ConnectPrecondition(request)?.check(nil, pointer: nil) }
            try await checkRelated(call)
            return try await handler(call)
        }
        try query.require(operation.requiredFilters.map { "filter[\($0)]" })
        return operation.action.isReading ? try await read(call, including: types) : try await edit(call)
    }

    private func includedTypes(_ operation: ConnectOperation, _ query: ConnectQuery) -> [ConnectType] {
        directory.includes(operation, query).compactMap { $0.target.flatMap { schema.type($0) } }
    }

    // MARK: Reading

    private func read(_ call: ConnectCall, including types: [ConnectType]) async throws -> Response {
        // The resource that a path begins with only leads to the others.
        let involved = types + [schema.answered(by: call.operation)].compactMap { $0 }
        let isCacheable = involved.allSatisfy { bindings[$0.name]?.followsFromCatalog == true }
        let apps = call.key.visibleApps.map { $0.sorted().map(String.init).joined(separator: ",") } ?? "all"
        let key = "\(apps) \(call.links.requested)"
        let answer = try await editor.read { [self] catalog in
            let at = try call.reading(catalog)
            guard isCacheable else { return try makeAnswer(call, at) }
            let version = ConnectAnswerCache.Version(
                revision: try catalog.revision(), era: catalog.era, day: PacificDay(at.now))
            let environment = at.environment.id
            if let cached = cache.answer(key, version, in: environment) { return cached }
            let answer = try makeAnswer(call, at)
            cache.insert(answer, for: key, version, in: environment)
            return answer
        }
        return answer.response()
    }

    /// Makes the answer of a reading operation.
    private func makeAnswer(_ call: ConnectCall, _ at: ConnectReading) throws -> ConnectAnswer {
        let operation = call.operation
        let resources = ConnectResources(schema: schema, bindings: bindings, at: at)
        let writer = ConnectWriter(resources, call.links, includes: directory.includes(operation, call.query))
        guard let type = schema.type(operation.type), let answered = schema.answered(by: operation) else {
            throw ConnectFailure.notFound(operation.type, call.id)
        }
        let own = call.links.url(call.links.path)
        switch operation.action {
        case .read:
            let bytes = try writer.document(type, call.id, self: own)
            return ConnectAnswer(bytes: bytes, tag: try resources.tag(type, call.id))
        case .list:
            return ConnectAnswer(bytes: try writer.document(type, page: try resources.list(operation, type, call.id)))
        default: break
        }
        _ = try resources.existing(type, call.id)
        let isLinkages = if case .linkages = operation.action { true } else { false }
        if ConnectParameters.isList(operation, schema) {
            let ids = try resources.list(operation, type, call.id)
            guard isLinkages else { return ConnectAnswer(bytes: try writer.document(answered, page: ids)) }
            return ConnectAnswer(
                bytes: try writer.linkages(answered, page: ids), tag: try writableTag(call, type, resources))
        }
        let related = try resources.related(type, call.id, operation.relationship ?? "").all().first
        if isLinkages { return ConnectAnswer(bytes: writer.linkage(answered, related)) }
        guard let related else {
            // Clients take 404 for "none" where the resource would have its parent's ID.
            if bindings[answered.name]?.parent != nil { throw ConnectFailure.notFound(answered.jsonType, call.id) }
            return ConnectAnswer(bytes: writer.empty())
        }
        let bytes = try writer.document(answered, related, self: own)
        return ConnectAnswer(bytes: bytes, tag: try resources.tag(answered, related))
    }

    /// Returns the entity tag of a relationship that requests can change.
    private func writableTag(
        _ call: ConnectCall, _ type: ConnectType, _ resources: ConnectResources
    ) throws -> ConnectEntityTag? {
        guard let name = call.operation.relationship, let binding = bindings[type.name],
            binding.setRelated[name] ?? binding.addRelated[name] ?? binding.removeRelated[name] != nil
        else { return nil }
        return try resources.tag(type, call.id, linkages: name)
    }

    // MARK: Editing

    private func readBody(_ call: inout ConnectCall) async throws {
        guard let type = schema.type(call.operation.type) else { return }
        switch call.operation.action {
        case .create:
            let entity = try await ConnectEntity(call.request, type: type.jsonType)
            try ConnectEntityCheck.check(entity, as: type, .post, schema)
            call.entity = entity
        case .update:
            let entity = try await ConnectEntity(call.request, type: type.jsonType, id: call.id)
            try ConnectEntityCheck.check(entity, as: type, .patch, schema)
            call.entity = entity
        case .setLinkages, .addLinkages, .removeLinkages:
            let answered = schema.answered(by: call.operation)
            let linkages = try await ConnectEntity.linkages(call.request).linkages
            if let index = linkages.firstIndex(where: { $0.type != answered?.jsonType }) {
                throw ConnectFailure.entity(
                    "RELATIONSHIP.INVALID", "The provided entity includes a relationship with an invalid value",
                    "The relationship '\(call.operation.relationship ?? "")' is to resources of type "
                        + "'\(answered?.jsonType ?? "")'", pointer: "/data/\(index)/type")
            }
            call.linkages = linkages.map(\.id)
        default: break
        }
    }

    private func edit(_ call: ConnectCall) async throws -> Response {
        let operation = call.operation
        guard let type = schema.type(operation.type), let binding = bindings[type.name] else {
            throw ConnectFailure.unknownPath(call.links.path)
        }
        let precondition = ConnectPrecondition(call.request)
        let answer = try await editor.edit(by: call.key.actor) { [schema, bindings] draft -> ConnectAnswer? in
            let resources = ConnectResources(schema: schema, bindings: bindings, at: try call.reading(draft))
            if operation.action != .create { _ = try resources.existing(type, call.id) }
            if let precondition { try Self.check(precondition, call, type, binding, resources) }
            try Self.checkRelated(call, resources)
            let at = try call.editing(draft)
            var id: String? = call.id
            switch operation.action {
            case .create: id = try call.entity.flatMap { try binding.create?($0, at) }
            case .update: if let entity = call.entity { try binding.update?(call.id, entity, at) }
            case .delete:
                try binding.delete?(call.id, at)
                id = nil
            default:
                try Self.change(operation, binding, call, at)
                id = nil
            }
            guard let id else { return nil }
            // The resources were read before the change.
            let changed = ConnectResources(schema: schema, bindings: bindings, at: try call.reading(draft))
            let url = call.links.url(type, id)
            let bytes = try ConnectWriter(changed, call.links, includes: []).document(type, id, self: url)
            return ConnectAnswer(bytes: bytes, tag: try changed.tag(type, id))
        }
        guard let answer else {
            // Clients fail without a type, and also where it is JSON.
            return Response(status: .noContent, headers: [.contentType: "text/plain"])
        }
        return answer.response(operation.action == .create ? .created : .ok)
    }

    /// Compares a request's entity tags with what it is about to change.
    private static func check(
        _ precondition: ConnectPrecondition, _ call: ConnectCall, _ type: ConnectType, _ binding: ConnectBinding,
        _ resources: ConnectResources
    ) throws {
        switch call.operation.action {
        case .update: try precondition.check(try resources.tag(type, call.id), pointer: "/data")
        case .delete: try precondition.check(try resources.tag(type, call.id), pointer: nil)
        case .create:
            let replaced = try call.entity.flatMap { try binding.replaced(by: $0, resources.at) }
            try precondition.check(try replaced.flatMap { try resources.tag(type, $0) }, pointer: "/data")
        default:
            let name = call.operation.relationship ?? ""
            try precondition.check(try resources.tag(type, call.id, linkages: name), pointer: "/data")
        }
    }

    private static func change(
        _ operation: ConnectOperation, _ binding: ConnectBinding, _ call: ConnectCall, _ at: ConnectEditing
    ) throws {
        switch operation.action {
        case .setLinkages(let name): try binding.setRelated[name]?(call.id, call.linkages, at)
        case .addLinkages(let name): try binding.addRelated[name]?(call.id, call.linkages, at)
        case .removeLinkages(let name): try binding.removeRelated[name]?(call.id, call.linkages, at)
        default: break
        }
    }

    // MARK: Related resources

    private func checkRelated(_ call: ConnectCall) async throws {
        guard call.entity != nil || !call.linkages.isEmpty else { return }
        try await editor.read { [schema, bindings] catalog in
            try Self.checkRelated(
                call, ConnectResources(schema: schema, bindings: bindings, at: try call.reading(catalog)))
        }
    }

    /// Checks that the resources that a body refers to exist, and that the caller may see them.
    ///
    /// - Throws: ``ConnectFailure`` 409 with all that don't.
    private static func checkRelated(_ call: ConnectCall, _ resources: ConnectResources) throws {
        var errors: [ConnectError] = []
        func check(_ type: ConnectType, _ id: String, _ pointer: String) throws {
            guard !ConnectEntity.Linkage(type: type.jsonType, id: id).isLocal,
                try resources.attributes(type, id) == nil
            else { return }
            errors.append(
                ConnectError(
                    status: "409", code: "ENTITY_ERROR.RELATIONSHIP.INVALID",
                    title: "The provided entity includes a relationship with an invalid value",
                    detail: "There is no resource of type '\(type.jsonType)' with id '\(id)'",
                    source: ConnectError.Source(pointer: pointer)))
        }
        if let entity = call.entity {
            let type = resources.schema.type(call.operation.type)
            for (entity, type) in [(entity, type)] + entity.included.map({ ($0, resources.schema.type($0.type)) }) {
                for (name, relationship) in entity.relationships.sorted(by: { $0.key < $1.key }) {
                    let target = type?.relationship(name)?.target
                    guard let target = target.flatMap({ resources.schema.type($0) }), resources.canRead(target) else {
                        continue
                    }
                    for (index, linkage) in relationship.linkages.enumerated() {
                        let place = if case .many = relationship { "/data/\(index)/id" } else { "/data/id" }
                        try check(target, linkage.id, "\(entity.pointer(relationship: name))\(place)")
                    }
                }
            }
        } else if let type = resources.schema.answered(by: call.operation), resources.canRead(type) {
            for (index, id) in call.linkages.enumerated() { try check(type, id, "/data/\(index)/id") }
        }
        guard errors.isEmpty else { throw ConnectFailure(.conflict, errors) }
    }
}
