import AppStoreFormats

/// The contents of an answer's signed data and receipts, under the names of the members that hold the bytes.
///
/// The command line adds the same to the answers of other protocols.
struct DecodedMembers: Codable, Sendable, SchemaProviding {
    private struct Unread: Error {}

    private let contents: StoreKitJSON

    private init(_ contents: StoreKitJSON) { self.contents = contents }

    /// - Parameter members: Signed data and receipts by the names of their members; `nil` for a member without any.
    /// - Returns: `nil` if there is none.
    init?(_ members: [String: String?]) {
        let found = DecodedContents.decoded(members.compactMapValues { $0.map { .string($0) } })
        guard !found.members.isEmpty else { return nil }
        contents = .object(found)
    }

    init(from decoder: any Decoder) throws { throw Unread() }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch contents {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let text):
            if let number = Int64(text) {
                try container.encode(number)
            } else {
                try container.encode(Double(text))
            }
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements.map { Self($0) })
        case .object(let object):
            let members = object.members.map { ($0.key, Self($0.value)) }
            try container.encode(Dictionary(members) { first, _ in first })
        }
    }

    static func schema(_ use: SchemaUse) -> OpenAPINode {
        [
            "type": "object", "additionalProperties": AppleMessage.schema(use),
            "description": "The contents of the signed data and receipts, by the names of their fields; not verified",
        ]
    }

    static var sample: DecodedMembers { DecodedMembers(.object(StoreKitJSON.Object())) }
}
