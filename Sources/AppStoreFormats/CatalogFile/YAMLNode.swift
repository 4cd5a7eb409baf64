import Yams

/// A YAML value with its place in the file: text, a list, or keys with values. Plain scalars stay text, so that a price
/// of `0.10` is never a binary fraction.
struct YAMLNode {
    enum Value {
        /// An empty value, `~` or `null`.
        case null
        case text(String)
        case list([YAMLNode])
        case keys([(key: String, position: CatalogFile.Position, node: YAMLNode)])
    }

    let value: Value
    let position: CatalogFile.Position
    /// True for a text without quotes.
    let isPlain: Bool

    /// The limits of a file. An alias repeats its anchor, and repetitions of repetitions could fill the memory.
    enum Limits {
        static let bytes = CatalogFile.maximumByteCount
        static let depth = 24
        /// A file without aliases has fewer values than bytes.
        static func nodes(ofBytes count: Int) -> Int { max(200_000, count) }
        static let aliases = 16
        static let nesting = 200
    }

    /// The root of a file of one document.
    /// - Throws: ``CatalogFileError`` with the place of the first error of syntax.
    static func root(of bytes: [UInt8]) throws -> YAMLNode {
        guard bytes.count <= Limits.bytes else {
            throw CatalogFileError(
                .tooLarge, at: nil, expected: "at most \(Limits.bytes) bytes", found: "\(bytes.count)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CatalogFileError(.notYAML, at: nil, expected: "UTF-8", found: "other bytes")
        }
        try checkAmplification(bytes)
        do {
            guard let node = try Yams.compose(yaml: text, .default, .default, .utf8) else {
                throw CatalogFileError(.notYAML, at: nil, expected: "a catalog", found: "an empty file")
            }
            var budget = Limits.nodes(ofBytes: bytes.count)
            return try YAMLNode(node, depth: 1, budget: &budget)
        } catch let error as YamlError {
            throw CatalogFileError(error)
        }
    }

    /// Counts possible aliases and nested brackets before the parser resolves them: it hashes keys, and a key may be an
    /// alias of aliases.
    private static func checkAmplification(_ bytes: [UInt8]) throws {
        var (aliases, nesting, line) = (0, 0, 1)
        var previous = UInt8(ascii: "\n")
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "["), UInt8(ascii: "{"): nesting += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): nesting = max(0, nesting - 1)
            case UInt8(ascii: "*") where " \n\r\t[{,:?-".utf8.contains(previous):
                let next = index + 1 < bytes.count ? bytes[index + 1] : 0x20
                if next > 0x20 { aliases += 1 }
            default: break
            }
            guard aliases <= Limits.aliases, nesting <= Limits.nesting else {
                let expected =
                    "at most \(Limits.aliases) aliases (*name) and \(Limits.nesting) nested brackets in a file"
                throw CatalogFileError(.tooLarge, at: .init(line: line, column: 1), expected: expected, found: "more")
            }
            previous = byte
        }
    }

    private init(_ node: Node, depth: Int, budget: inout Int) throws {
        let position = CatalogFile.Position(line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
        budget -= 1
        guard depth <= Limits.depth, budget > 0 else {
            throw CatalogFileError(
                .tooLarge, at: position, expected: "no more values than bytes, in at most \(Limits.depth) levels",
                found: "more")
        }
        self.position = position
        if case .scalar(let scalar) = node { isPlain = scalar.style == .plain } else { isPlain = false }
        switch node {
        case .scalar(let scalar):
            let isNull = scalar.style == .plain && ["", "~", "null"].contains(scalar.string)
            value = isNull ? .null : .text(scalar.string)
        case .sequence(let sequence):
            value = .list(try sequence.map { try YAMLNode($0, depth: depth + 1, budget: &budget) })
        case .mapping(let mapping):
            value = .keys(
                try mapping.map { pair in
                    guard case .scalar(let key) = pair.key else {
                        throw CatalogFileError(
                            .wrongType, at: position, expected: "keys that are words", found: "another")
                    }
                    let place = CatalogFile.Position(line: key.mark?.line ?? 1, column: key.mark?.column ?? 1)
                    return (key.string, place, try YAMLNode(pair.value, depth: depth + 1, budget: &budget))
                })
        case .alias:
            throw CatalogFileError(.notYAML, at: position, expected: "a value", found: "an alias of nothing")
        }
    }

    /// Creates a node without a place in a file.
    init(_ node: CatalogNode) {
        let position = CatalogFile.Position(line: 1, column: 1)
        self.position = position
        if case .literal = node { isPlain = true } else { isPlain = false }
        value =
            switch node {
            case .text(let text), .literal(let text): .text(text)
            case .list(let elements): .list(elements.map { YAMLNode($0) })
            case .keys(let members): .keys(members.map { ($0.key, position, YAMLNode($0.node)) })
            }
    }

    /// The value without places; `nil` for an empty one. Keys without a value are left out.
    var tree: CatalogNode? {
        switch value {
        case .null: nil
        case .text(let text): isPlain && CatalogNode.isLiteral(text) ? .literal(text) : .text(text)
        case .list(let nodes): .list(nodes.compactMap(\.tree))
        case .keys(let pairs): .fields(pairs.map { ($0.key, $0.node.tree) })
        }
    }

    /// A description of the value, for errors.
    var summary: String {
        switch value {
        case .null: "nothing"
        case .text(let text): text.count > 60 ? "'\(text.prefix(60))…'" : "'\(text)'"
        case .list: "a list"
        case .keys: "keys with values"
        }
    }
}

extension CatalogFileError {
    init(_ error: YamlError) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init(.notYAML, at: .init(mark), expected: "YAML", found: "an error of syntax: \(problem)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            let keys = duplicates.map { "'\($0.prefix(60))'" }.joined(separator: ", ")
            self.init(.duplicate, at: .init(context.mark), expected: "each key once", found: "\(keys) again")
        case .reader(let problem, let offset, _, let yaml):
            let before = yaml.prefix(offset ?? 0)
            let line = 1 + before.count { $0.isNewline }
            let column = 1 + before.reversed().prefix { !$0.isNewline }.count
            self.init(
                .notYAML, at: .init(line: line, column: column), expected: "YAML",
                found: "an error of syntax: \(problem)")
        default: self.init(.notYAML, at: nil, expected: "YAML", found: "something else")
        }
    }
}

extension CatalogFile.Position {
    fileprivate init(_ mark: Mark) {
        self.init(line: mark.line, column: mark.column)
    }
}
