import FastJSON

/// Writes documents of resources as JSON, one resource after the other.
struct ConnectWriter {
    private let resources: ConnectResources
    private let links: ConnectLinks
    private let query: ConnectQuery
    private var json = JSONWriter(capacity: 16_384)
    /// The relationships of the primary resources that the answer includes.
    private let includes: [ConnectRelationship]
    /// The resources to include, each once, in the order in which relationships name them.
    private var included: [(type: ConnectType, id: String)] = []
    private var seen: Set<String> = []
    /// The members of each type that the answer is limited to.
    private var fields: [String: Set<String>?] = [:]

    init(_ resources: ConnectResources, _ links: ConnectLinks, includes: [ConnectRelationship]) {
        (self.resources, self.links, self.includes) = (resources, links, includes)
        query = resources.at.query
    }

    // MARK: Documents

    /// Writes a document with one resource.
    ///
    /// - Throws: ``ConnectFailure`` 404.
    consuming func document(_ type: ConnectType, _ id: String, self url: String) throws -> [UInt8] {
        json.beginObject()
        json.key(Keys.data)
        // A primary resource isn't included again.
        seen.insert("\(type.jsonType) \(id)")
        try write(type, id, try resources.existing(type, id), includes: includes)
        try writeIncluded()
        writeLink(url)
        json.endObject()
        return json.finished()
    }

    /// Writes a document with a page of resources.
    consuming func document(_ type: ConnectType, page ids: ConnectIDs) throws -> [UInt8] {
        let page = try Page(ids, query)
        json.beginObject()
        json.key(Keys.data)
        json.beginArray()
        for id in page.ids { seen.insert("\(type.jsonType) \(id)") }
        for id in page.ids {
            guard let attributes = try resources.attributes(type, id) else { continue }
            try write(type, id, attributes, includes: includes)
        }
        json.endArray()
        try writeIncluded()
        writePaging(page)
        json.endObject()
        return json.finished()
    }

    /// Writes a document with the type and ID of a resource, or with null.
    consuming func linkage(_ type: ConnectType, _ id: String?) -> [UInt8] {
        json.beginObject()
        json.key(Keys.data)
        if let id { writeLinkage(type, id) } else { json.elementNull() }
        writeLink(links.url(links.path))
        json.endObject()
        return json.finished()
    }

    /// Writes a document with the types and IDs of a page of resources.
    consuming func linkages(_ type: ConnectType, page ids: ConnectIDs) throws -> [UInt8] {
        let page = try Page(ids, query)
        json.beginObject()
        json.key(Keys.data)
        json.beginArray()
        for id in page.ids { writeLinkage(type, id) }
        json.endArray()
        writePaging(page)
        json.endObject()
        return json.finished()
    }

    /// Writes a document without a resource, for a to-one relationship that is empty.
    consuming func empty() -> [UInt8] {
        json.beginObject()
        json.key(Keys.data)
        json.elementNull()
        writeLink(links.url(links.path))
        json.endObject()
        return json.finished()
    }

    // MARK: Pages

    private struct Page {
        let ids: [String]
        let total: Int
        /// The position after the page; `nil` on the last one.
        let next: Int?

        init(_ all: ConnectIDs, _ query: ConnectQuery) throws {
            let start = min(query.offset, all.count)
            let end = start + min(query.limit, all.count - start)
            ids = try (start..<end).map { try all.id(at: $0) }
            total = all.count
            next = end < all.count && end > start ? end : nil
        }
    }

    private mutating func writePaging(_ page: Page) {
        json.key(Keys.links)
        json.beginObject()
        json.key(Keys.own)
        json.element(links.requested)
        if let next = page.next {
            let url = links.url(links.path)
            json.key(Keys.first)
            json.element("\(url)?\(query.text(at: 0))")
            json.key(Keys.next)
            json.element("\(url)?\(query.text(at: next))")
        }
        json.endObject()
        writeMeta(total: page.total, limit: query.limit)
    }

    private mutating func writeMeta(total: Int, limit: Int) {
        json.key(Keys.meta)
        json.beginObject()
        json.key(Keys.paging)
        json.beginObject()
        json.key(Keys.total)
        json.element(Int64(total))
        json.key(Keys.limit)
        json.element(Int64(limit))
        json.endObject()
        json.endObject()
    }

    private mutating func writeLink(_ url: String) {
        json.key(Keys.links)
        json.beginObject()
        json.key(Keys.own)
        json.element(url)
        json.endObject()
    }

    // MARK: Resources

    /// - Parameter includes: The relationships whose resources the answer includes.
    private mutating func write(
        _ type: ConnectType, _ id: String, _ attributes: ConnectAttributes, includes: [ConnectRelationship]
    ) throws {
        let chosen = chosen(type)
        let url = links.url(type, id)
        json.beginObject()
        json.key(Keys.type)
        json.element(type.jsonType)
        json.key(Keys.id)
        json.element(id)
        writeAttributes(type, attributes, chosen)
        try writeRelationships(type, id, chosen, includes, url)
        writeLink(url)
        json.endObject()
    }

    private mutating func chosen(_ type: ConnectType) -> Set<String>? {
        if let known = fields[type.jsonType] { return known }
        let chosen = query.fields(type.jsonType)
        fields.updateValue(chosen, forKey: type.jsonType)
        return chosen
    }

    private mutating func writeAttributes(
        _ type: ConnectType, _ attributes: ConnectAttributes, _ chosen: Set<String>?
    ) {
        var hasBegun = false
        for attribute in type.attributes where attribute.isReadable && chosen?.contains(attribute.name) ?? true {
            if !hasBegun {
                json.key(Keys.attributes)
                json.beginObject()
                hasBegun = true
            }
            json.key(attribute.key)
            json.write(attributes[attribute.name] ?? .null)
        }
        if hasBegun { json.endObject() }
    }

    private mutating func writeRelationships(
        _ type: ConnectType, _ id: String, _ chosen: Set<String>?, _ includes: [ConnectRelationship], _ url: String
    ) throws {
        var hasBegun = false
        for relationship in type.relationships where chosen?.contains(relationship.name) ?? true {
            let isIncluded = includes.contains { $0.name == relationship.name }
            guard relationship.hasLinks || isIncluded else { continue }
            if !hasBegun {
                json.key(Keys.relationships)
                json.beginObject()
                hasBegun = true
            }
            json.key(relationship.key)
            json.beginObject()
            if relationship.hasLinks {
                json.key(Keys.links)
                json.beginObject()
                json.key(Keys.own)
                json.element("\(url)/relationships/\(relationship.name)")
                json.key(Keys.related)
                json.element("\(url)/\(relationship.name)")
                json.endObject()
            }
            if isIncluded { try writeData(type, id, relationship) }
            json.endObject()
        }
        if hasBegun { json.endObject() }
        // Relationships are included also where they aren't among the chosen fields.
        for relationship in includes where chosen?.contains(relationship.name) == false {
            try include(try resources.related(type, id, relationship.name), relationship)
        }
    }

    /// Writes the types and IDs of included resources, and notes these.
    private mutating func writeData(_ type: ConnectType, _ id: String, _ relationship: ConnectRelationship) throws {
        let related = try resources.related(type, id, relationship.name)
        let target = relationship.target.flatMap { resources.schema.type($0) }
        json.key(Keys.data)
        if relationship.isToMany {
            let ids = try include(related, relationship)
            json.beginArray()
            if let target { for id in ids { writeLinkage(target, id) } }
            json.endArray()
            let total = if case .many(let all) = related { all.count } else { 0 }
            writeMeta(total: total, limit: query.limit(of: relationship.name))
        } else if let target, let id = try include(related, relationship).first {
            writeLinkage(target, id)
        } else {
            json.elementNull()
        }
    }

    /// Notes resources to include.
    ///
    /// - Returns: Their IDs, as many as the relationship's limit allows.
    @discardableResult
    private mutating func include(_ related: ConnectRelated, _ relationship: ConnectRelationship) throws -> [String] {
        guard let target = relationship.target.flatMap({ resources.schema.type($0) }) else { return [] }
        let ids: [String] =
            switch related {
            case .none: []
            case .one(let id): [id]
            case .many(let all): try (0..<min(all.count, query.limit(of: relationship.name))).map { try all.id(at: $0) }
            }
        for id in ids where seen.insert("\(target.jsonType) \(id)").inserted { included.append((target, id)) }
        return ids
    }

    private mutating func writeIncluded() throws {
        guard !includes.isEmpty else { return }
        json.key(Keys.included)
        json.beginArray()
        for (type, id) in included {
            guard let attributes = try resources.attributes(type, id) else { continue }
            try write(type, id, attributes, includes: [])
        }
        json.endArray()
    }

    private mutating func writeLinkage(_ type: ConnectType, _ id: String) {
        json.beginObject()
        json.key(Keys.type)
        json.element(type.jsonType)
        json.key(Keys.id)
        json.element(id)
        json.endObject()
    }

    private enum Keys {
        static let (data, type, id, attributes) = (
            JSONKey("data"), JSONKey("type"), JSONKey("id"), JSONKey("attributes")
        )
        static let (relationships, links, own) = (JSONKey("relationships"), JSONKey("links"), JSONKey("self"))
        static let (related, meta, paging) = (JSONKey("related"), JSONKey("meta"), JSONKey("paging"))
        static let (total, limit, included) = (JSONKey("total"), JSONKey("limit"), JSONKey("included"))
        static let (first, next) = (JSONKey("first"), JSONKey("next"))
    }
}

extension JSONWriter {
    /// Writes a value as the next element. Members of objects are sorted by name.
    mutating func write(_ value: ConnectValue) {
        switch value {
        case .text(let text): element(text)
        case .integer(let number): element(number)
        case .number(let number): element(written: Array(String(number).utf8))
        case .bool(let isTrue): element(isTrue)
        case .null: elementNull()
        case .array(let values):
            beginArray()
            for value in values { write(value) }
            endArray()
        case .object(let members):
            beginObject()
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                key(JSONKey(name))
                write(value)
            }
            endObject()
        }
    }
}
