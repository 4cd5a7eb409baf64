import Perennial

/// The keys of one YAML mapping, read by name. A key that no reader takes is an error.
struct YAMLFields {
    let position: CatalogFile.Position
    private let nodes: [String: YAMLNode]

    /// - Parameter known: Every key that may be there.
    /// - Throws: ``CatalogFileError`` for another kind of value and for a key that isn't known, with the nearest that
    ///   is.
    init(_ node: YAMLNode, known: [String]) throws {
        guard case .keys(let pairs) = node.value else {
            throw CatalogFileError(.wrongType, at: node.position, expected: "keys with values", found: node.summary)
        }
        position = node.position
        for pair in pairs where !known.contains(pair.key) {
            let nearest = known.min { $0.distance(to: pair.key) < $1.distance(to: pair.key) }
            let isNear = (nearest?.distance(to: pair.key) ?? .max) <= max(2, pair.key.count / 3)
            let expected = isNear ? "'\(nearest ?? "")'" : "one of \(known.joined(separator: ", "))"
            throw CatalogFileError(
                .unknownKey, at: pair.position, expected: expected, found: "the unknown key '\(pair.key.prefix(60))'")
        }
        nodes = Dictionary(pairs.map { ($0.key, $0.node) }) { first, _ in first }
    }

    /// The value of a key; `nil` where the key is missing or has no value.
    subscript(key: String) -> YAMLNode? {
        guard let node = nodes[key] else { return nil }
        if case .null = node.value { return nil }
        return node
    }

    func required(_ key: String) throws -> YAMLNode {
        guard let node = self[key] else {
            throw CatalogFileError(.missingKey, at: position, expected: "the key \(key)", found: "none")
        }
        return node
    }
}

// MARK: - Values of one kind

extension YAMLNode {
    func malformed(_ expected: String) -> CatalogFileError {
        CatalogFileError(.malformedValue, at: position, expected: expected, found: summary)
    }

    func text() throws -> String {
        guard case .text(let text) = value else {
            throw CatalogFileError(.wrongType, at: position, expected: "text", found: summary)
        }
        guard !text.unicodeScalars.contains("\0") else {
            throw CatalogFileError(.malformedValue, at: position, expected: "a text without NUL", found: "one with it")
        }
        return text
    }

    func bool() throws -> Bool {
        switch try text() {
        case "true": true
        case "false": false
        default: throw malformed("true or false")
        }
    }

    func integer(_ range: ClosedRange<Int64>) throws -> Int64 {
        guard let number = Int64(try text()), range.contains(number) else {
            throw malformed("a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func word(of words: [String]) throws -> String {
        let text = try text()
        guard words.contains(text) else { throw malformed(words.joined(separator: ", ")) }
        return text
    }

    func period() throws -> String {
        let text = try text()
        guard Period(iso8601: text) != nil else { throw malformed("a period such as P1W, P3M or P1Y") }
        return text
    }

    /// One element, or a list of them.
    func list() throws -> [YAMLNode] {
        switch value {
        case .list(let nodes): nodes
        case .text, .keys: [self]
        case .null: []
        }
    }

    /// Keys that the author chooses, such as storefronts.
    func entries() throws -> [(key: String, position: CatalogFile.Position, node: YAMLNode)] {
        guard case .keys(let pairs) = value else {
            throw CatalogFileError(.wrongType, at: position, expected: "keys with values", found: summary)
        }
        return pairs
    }

    /// An amount with or without a currency: `0.99`, `1.09 EUR`.
    func price() throws -> CatalogFile.Price {
        let parts = try text().split(separator: " ")
        let expected = "an amount such as 4.99 or 4.99 EUR"
        guard let amount = parts.first, parts.count <= 2, Money(decimal: amount, .usd) != nil else {
            throw malformed(expected)
        }
        if parts.count == 2 { try Self.checkCurrency(parts[1]) { malformed(expected) } }
        return CatalogFile.Price(amount: String(amount), currency: parts.count == 2 ? String(parts[1]) : nil)
    }

    func currency() throws -> String {
        let text = try text()
        try Self.checkCurrency(text) { malformed("a currency code such as EUR") }
        return text
    }

    func storefront() throws -> String {
        let text = try text()
        guard Storefront(rawValue: text).info != nil else {
            throw malformed("a storefront of the App Store such as USA or DEU")
        }
        return text
    }

    private static func checkCurrency(
        _ text: some StringProtocol, _ error: () -> CatalogFileError
    ) throws {
        guard text.count == 3, text.utf8.allSatisfy({ (65...90).contains($0) }) else { throw error() }
    }
}

extension String {
    /// Returns the number of letters to change, add or remove to turn one key into another, ignoring case.
    fileprivate func distance(to other: String) -> Int {
        let (one, two) = (Array(lowercased().utf8.prefix(64)), Array(other.lowercased().utf8.prefix(64)))
        var row = Array(0...two.count)
        for (index, byte) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in 0..<two.count {
                let cost = Swift.min(row[column] + 1, row[column + 1] + 1, diagonal + (byte == two[column] ? 0 : 1))
                diagonal = row[column + 1]
                row[column + 1] = cost
            }
        }
        return row[two.count]
    }
}
