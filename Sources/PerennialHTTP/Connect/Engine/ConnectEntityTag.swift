import BaseEncoding
import Crypto
import FastJSON
import HTTPTypes
import Hummingbird
import PerennialDelivery

/// The bytes of an answer, with the entity tag of the resource or relationship that it is about.
struct ConnectAnswer: Sendable {
    var bytes: [UInt8]
    /// `nil` for a page.
    var tag: ConnectEntityTag?

    /// Makes the answer with its `ETag`.
    func response(_ status: HTTPResponse.Status = .ok) -> Response {
        var response = JSONResponse.bytes(bytes, status: status)
        response.headers[.eTag] = tag?.text
        return response
    }
}

/// The digest of a resource's content, by which a writer says what it has read (RFC 9110, sections 8.8.3 and 13.1.1).
struct ConnectEntityTag: Hashable, Sendable {
    /// The tag with its quotes, as in a header.
    let text: String

    fileprivate init(_ content: [UInt8]) {
        text = "\"\(Hexadecimal.encode(SHA256.hash(data: content).prefix(16)))\""
    }
}

/// The condition of a request: the entity tags of its `If-Match`, of which one must be that of the resource.
struct ConnectPrecondition: Sendable {
    private let tags: EntityTags

    /// - Returns: `nil` for a request without the header.
    init?(_ request: Request) {
        guard let header = request.headers[.ifMatch] else { return nil }
        tags = EntityTags(header)
    }

    /// Checks the condition. A weak tag and a text without quotes match nothing.
    ///
    /// - Parameters:
    ///   - tag: Of the resource at present; `nil` if there is none.
    ///   - pointer: To the place in the body that names the resource; `nil` for a request without a body.
    /// - Throws: ``ConnectFailure`` 409.
    func check(_ tag: ConnectEntityTag?, pointer: String?) throws {
        if let tag, tags.match(strongly: tag.text) { return }
        throw ConnectFailure(
            .conflict, "STATE_ERROR", "The request cannot be fulfilled because of the state of another resource.",
            tag == nil
                ? "There is no resource to compare with 'If-Match'"
                : "The resource was changed after it was read with the entity tag of 'If-Match': read it again",
            source: pointer.map { ConnectError.Source(pointer: $0) })
    }
}

extension ConnectResources {
    /// Returns the entity tag of a resource; `nil` if there is none.
    ///
    /// It covers the attributes and what requests replace together with them, and depends neither on the query nor on the
    /// host of the request.
    func tag(_ type: ConnectType, _ id: String) throws -> ConnectEntityTag? {
        guard let binding = bindings[type.name], !binding.isAddition else { return nil }
        let plain = ConnectResources(schema: schema, bindings: bindings, at: at.withoutQuery())
        guard let attributes = try plain.attributes(type, id) else { return nil }
        var json = JSONWriter(capacity: 1024)
        json.beginArray()
        json.element(id)
        json.write(.object(attributes.filter { !binding.unstable.contains($0.key) }))
        for part in try binding.content?(id, plain.at) ?? [] { json.element(part) }
        json.endArray()
        return ConnectEntityTag(json.finished())
    }

    /// Returns the entity tag of a relationship: that of the IDs in their order.
    func tag(_ type: ConnectType, _ id: String, linkages name: String) throws -> ConnectEntityTag {
        let plain = ConnectResources(schema: schema, bindings: bindings, at: at.withoutQuery())
        var json = JSONWriter(capacity: 1024)
        json.beginArray()
        json.element(id)
        json.element(name)
        for related in try plain.related(type, id, name).all() { json.element(related) }
        json.endArray()
        return ConnectEntityTag(json.finished())
    }
}
