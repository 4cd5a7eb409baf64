import Perennial

/// Reads resources through their bindings, inside one transaction. Each resource is read once.
final class ConnectResources {
    let schema: ConnectSchema
    let at: ConnectReading
    let bindings: [String: ConnectBinding]
    private var attributes: [String: [String: ConnectAttributes?]] = [:]

    init(schema: ConnectSchema, bindings: [String: ConnectBinding], at: ConnectReading) {
        (self.schema, self.bindings, self.at) = (schema, bindings, at)
    }

    /// Returns the attributes of a resource; `nil` if there is none that the caller may see.
    func attributes(_ type: ConnectType, _ id: String) throws -> ConnectAttributes? {
        if let known = attributes[type.name]?[id] { return known }
        var found = try bindings[type.name]?.read(id, at)
        if found != nil, try !isVisible(type, id) { found = nil }
        attributes[type.name, default: [:]].updateValue(found, forKey: id)
        return found
    }

    /// Returns true if resources of a type have a binding that reads them.
    func canRead(_ type: ConnectType) -> Bool { bindings[type.name]?.isAddition == false }

    /// Returns the attributes of a resource.
    ///
    /// - Throws: ``ConnectFailure`` 404.
    func existing(_ type: ConnectType, _ id: String) throws -> ConnectAttributes {
        guard let attributes = try attributes(type, id) else { throw ConnectFailure.notFound(type.jsonType, id) }
        return attributes
    }

    private func isVisible(_ type: ConnectType, _ id: String) throws -> Bool {
        guard let visible = at.visibleApps, let app = bindings[type.name]?.app else { return true }
        return try app(id, at).map { visible.contains($0) } ?? true
    }

    // MARK: Lists

    /// Returns the list that a reading operation asks for, filtered and sorted.
    func list(_ operation: ConnectOperation, _ parent: ConnectType, _ id: String) throws -> ConnectIDs {
        let filters = at.query.filters
        at.filters = filters
        defer { at.filters = [:] }
        var ids: ConnectIDs
        switch operation.action {
        case .list: ids = try bindings[parent.name]?.list?(at) ?? ConnectIDs([])
        case .related(let name), .linkages(let name):
            guard case .many(let related) = try related(parent, id, name) else { return ConnectIDs([]) }
            ids = related
        default: return ConnectIDs([])
        }
        guard let element = schema.answered(by: operation) else { return ids }
        if case .list = operation.action, at.visibleApps != nil, bindings[element.name]?.app != nil {
            ids = try ids.filter { try isVisible(element, $0) }
        }
        let unapplied = filters.filter { !ids.appliedFilters.contains($0.key) }
        for (name, values) in unapplied.sorted(by: { $0.key < $1.key }) {
            ids = try filter(ids, of: element, name, values)
        }
        for name in operation.existences {
            guard let wanted = at.query.text("exists[\(name)]") else { continue }
            ids = try ids.filter { try related(element, $0, name).isEmpty == (wanted == "false") }
        }
        return try sort(ids, of: element)
    }

    private func filter(
        _ ids: ConnectIDs, of type: ConnectType, _ name: String, _ values: Set<String>
    ) throws -> ConnectIDs {
        if let filter = bindings[type.name]?.filters[name] { return try filter(ids, values, at) }
        if name == "id" { return try ids.filter { values.contains($0) } }
        if type.attribute(name) != nil {
            return try ids.filter { try attributes(type, $0)?[name]?.matches(values) ?? false }
        }
        let parts = name.split(separator: ".").map(String.init)
        return try ids.filter { id in
            guard let target = type.relationship(parts[0])?.target.flatMap({ schema.type($0) }) else { return false }
            let related = try related(type, id, parts[0]).all()
            guard parts.count == 2 else { return related.contains { values.contains($0) } }
            return try related.contains { try attributes(target, $0)?[parts[1]]?.matches(values) ?? false }
        }
    }

    private func sort(_ ids: ConnectIDs, of type: ConnectType) throws -> ConnectIDs {
        let sorts = at.query.sorts
        guard !sorts.isEmpty else { return ids }
        let keyed = try ids.all().map { id in
            let attributes = try attributes(type, id)
            return (id: id, keys: sorts.map { attributes?[$0.attribute] ?? .null })
        }
        let order = keyed.indices.sorted { one, other in
            for (index, sort) in sorts.enumerated() {
                let (left, right) = (keyed[one].keys[index], keyed[other].keys[index])
                if left.isLess(than: right) { return !sort.isDescending }
                if right.isLess(than: left) { return sort.isDescending }
            }
            return one < other
        }
        return ConnectIDs(order.map { keyed[$0].id })
    }

    /// Returns related resources. A type without a binding has none.
    func related(_ type: ConnectType, _ id: String, _ name: String) throws -> ConnectRelated {
        guard let binding = bindings[type.name]?.related[name] else {
            return type.relationship(name)?.isToMany == true ? .many([]) : .none
        }
        return try binding(id, at)
    }
}

extension ConnectRelated {
    var isEmpty: Bool {
        switch self {
        case .none: true
        case .one: false
        case .many(let ids): ids.count == 0
        }
    }

    func all() throws -> [String] {
        switch self {
        case .none: []
        case .one(let id): [id]
        case .many(let ids): try ids.all()
        }
    }
}

extension ConnectValue {
    /// Returns true if a filter's values contain the value, or an element of it.
    fileprivate func matches(_ values: Set<String>) -> Bool {
        switch self {
        case .text(let text): values.contains(text)
        case .integer(let number): values.contains(String(number))
        case .number(let number): values.contains(String(number))
        case .bool(let isTrue): values.contains(String(isTrue))
        case .array(let elements): elements.contains { $0.matches(values) }
        case .null, .object: false
        }
    }

    /// Compares values of an attribute for sorting. Null comes first.
    fileprivate func isLess(than other: ConnectValue) -> Bool {
        switch (self, other) {
        case (.text(let one), .text(let two)): one < two
        case (.integer(let one), .integer(let two)): one < two
        case (.null, .null): false
        case (.null, _): true
        default: false
        }
    }
}
