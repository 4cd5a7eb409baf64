/// The lengths that App Store Connect takes (help: in-app purchase information). Apple's document gives none.
package enum ListingLimits {
    package static let referenceName = 1...64
    package static let reviewNote = 0...4000
    /// A limit of this store, since Apple publishes none.
    package static let taxCategory = 0...64
    /// The longest display name that Apple's pages give for any type of product.
    package static let displayName = 1...35
    package static let description = 0...55
    package static let groupDisplayName = 1...75
    package static let customAppName = 0...30
    /// The levels of a subscription group; a limit of this store, since Apple publishes none.
    package static let subscriptionLevels: ClosedRange<Int64> = 1...1000
    /// The most products of an app that App Store Connect takes.
    package static let productsOfApp = 10_000

    /// Checks the number of an app's products.
    ///
    /// - Throws: ``CatalogEditError`` `.limit`.
    package static func check(productCount count: Int, atMost limit: Int = productsOfApp) throws {
        guard count > limit else { return }
        throw CatalogEditError(.limit, "An app has \(limit) products at most.")
    }

    /// The highest number of a version of texts; a limit of this store on files.
    private static let versionNumbers = 1...1_000_000

    /// Checks the numbers of a file's versions of texts.
    ///
    /// - Throws: ``CatalogEditError`` `.invalid`.
    package static func check(versionNumbers numbers: [Int]) throws {
        let isAscending = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
        guard isAscending, numbers.allSatisfy(versionNumbers.contains) else {
            throw CatalogEditError(
                .invalid, at: .attribute("versions"),
                "The numbers of versions are 1 to \(versionNumbers.upperBound), in ascending order.")
        }
    }

    /// Checks the name or ID of a tax category: one line.
    ///
    /// - Throws: ``CatalogEditError`` `.invalid`.
    package static func check(taxCategory: String) throws {
        try check(taxCategory, Self.taxCategory, "taxCategory", isOneLine: true)
    }

    /// Checks the length of an attribute, and that it has no control characters.
    ///
    /// - Parameter isOneLine: True to refuse ends of lines and tabulators as well.
    /// - Throws: ``CatalogEditError`` `.required` or `.invalid`.
    static func check(
        _ text: String, _ lengths: ClosedRange<Int>, _ attribute: String, isOneLine: Bool = false
    ) throws {
        if lengths.lowerBound > 0, text.allSatisfy(\.isWhitespace) {
            throw CatalogEditError(
                .required, at: .attribute(attribute),
                "You must provide a value for the attribute '\(attribute)' with this request")
        }
        guard text.count <= lengths.upperBound else {
            throw CatalogEditError(
                .invalid, at: .attribute(attribute),
                "The attribute '\(attribute)' has \(text.count) characters, and at most \(lengths.upperBound) are allowed."
            )
        }
        let isRefused = text.unicodeScalars.contains { scalar in
            isOneLine
                ? scalar.properties.generalCategory == .control || Character(scalar).isNewline
                : scalar.value < 0x20 && !"\n\t\r".unicodeScalars.contains(scalar)
        }
        guard !isRefused else {
            throw CatalogEditError(
                .invalid, at: .attribute(attribute), "The attribute '\(attribute)' has control characters.")
        }
        try check(directionOf: text, attribute)
    }

    /// Checks that a text has no character that overrides the direction of what stands after it: such a name would change how
    /// the line around it reads. App Store Connect refuses characters that it doesn't show (`INVALID_CHARACTERS`).
    ///
    /// - Throws: ``CatalogEditError`` `.invalidCharacters`.
    package static func check(directionOf text: String, _ attribute: String) throws {
        guard let found = text.directionControl else { return }
        throw CatalogEditError(
            .invalidCharacters, at: .attribute(attribute),
            "The attribute '\(attribute)' can't contain the character U+\(String(found.value, radix: 16, uppercase: true)), which changes the direction of text."
        )
    }
}

extension Unicode.Scalar {
    /// True for the embeddings, overrides and isolates of the bidirectional algorithm (UAX #9). The marks U+200E and U+200F,
    /// which names in Arabic and Hebrew have, change nothing around them.
    package var isDirectionControl: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }
}

extension String {
    /// The first character that changes the direction of text; `nil` without one.
    package var directionControl: Unicode.Scalar? {
        // All of them begin with this byte in UTF-8, which most texts don't have.
        utf8.contains(0xE2) ? unicodeScalars.first(where: \.isDirectionControl) : nil
    }
}
