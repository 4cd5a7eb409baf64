/// The author of a change of the catalog.
package enum CatalogActor: Hashable, Sendable {
    /// A key of the App Store Connect API, by its ID.
    case key(String)
    /// A user of App Store Connect, by the email address.
    case user(String)
    /// A caller of the control API.
    case control
    /// An imported file, by its path: in entries of versions that didn't record who imported it.
    case file(String)
    /// A user of the command line, by the name at the operating system.
    case commandLine(String)
}

extension CatalogActor: CustomStringConvertible {
    /// The text in the journal, such as `key:2X9R4HXF34`.
    package var description: String {
        switch self {
        case .key(let id): "key:\(id)"
        case .user(let email): "user:\(email)"
        case .control: "control"
        case .file(let path): "file:\(path)"
        case .commandLine(let user): "command-line:\(user)"
        }
    }

    /// Parses a text of the journal; `nil` for any other.
    package init?(_ text: String) {
        if text == "control" {
            self = .control
            return
        }
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let name = String(text[text.index(after: colon)...])
        switch text[..<colon] {
        case "key": self = .key(name)
        case "user": self = .user(name)
        case "file": self = .file(name)
        case "command-line": self = .commandLine(name)
        default: return nil
        }
    }
}

extension CatalogActor: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let actor = CatalogActor(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "“\(text)” is no author of a change")
        }
        self = actor
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
