/// The UUID of a part of a product or subscription group: a metadata version, a localization, a screenshot.
///
/// The UUID contains the number of its owner, so that the part is found without an index over all products. It has
/// version 8 of RFC 9562, whose other 122 bits are: 4 for the kind, 60 for the owner, 12 for the number of the metadata
/// version, 46 for the part.
package struct CatalogUUID: Hashable, Sendable {
    package enum Kind: UInt64, Sendable, CaseIterable {
        case version = 1
        case localization
        case screenshot
        case image
        /// A part of a subscription group whose ID is a number.
        case groupVersion
        case groupLocalization
        /// A part of a subscription group whose ID is text; the owner is the text's hash.
        case namedGroupVersion
        case namedGroupLocalization
        /// Any other part.
        case other

        package var ofNamedGroup: Kind {
            switch self {
            case .groupVersion: .namedGroupVersion
            case .groupLocalization: .namedGroupLocalization
            default: self
            }
        }
    }

    package let kind: Kind
    /// The number of the owner, below 2^60.
    package let owner: Int64
    /// The number of the metadata version, modulo 2^12.
    package let version: Int
    /// Tells the parts of a version apart, 46 bits.
    package let part: UInt64

    private static let ownerBits: UInt64 = (1 << 60) - 1
    private static let versionBits = (1 << 12) - 1
    private static let partBits: UInt64 = (1 << 46) - 1

    /// Creates the UUID of a part.
    ///
    /// - Parameter part: A text that tells the parts of a version apart, such as a locale.
    package init(_ kind: Kind, owner: Int64, version: Int, part: String = "") {
        self.kind = kind
        self.owner = Int64(clamping: UInt64(bitPattern: owner) & Self.ownerBits)
        self.version = version & Self.versionBits
        self.part = Self.hash(part) & Self.partBits
    }

    /// Creates the UUID of a part of a subscription group.
    package init(_ kind: Kind, group: String, version: Int, part: String = "") {
        if let number = Self.number(ofGroup: group) {
            self.init(kind, owner: number, version: version, part: part)
        } else {
            self.init(kind.ofNamedGroup, owner: Self.hash(ofGroup: group), version: version, part: part)
        }
    }

    private init(_ kind: Kind, owner: Int64, version: Int, bits: UInt64) {
        (self.kind, self.owner, self.version, part) = (kind, owner, version, bits)
    }

    /// Returns the UUID of the same part of another product.
    func moved(toProduct appleID: Int64) -> CatalogUUID {
        CatalogUUID(
            kind, owner: CatalogUUID(kind, owner: appleID, version: version).owner, version: version, bits: part)
    }

    /// Returns the UUID of the same part of another group.
    func moved(toGroup group: String) -> CatalogUUID {
        let isVersion = kind == .groupVersion || kind == .namedGroupVersion
        let other = CatalogUUID(isVersion ? .groupVersion : .groupLocalization, group: group, version: version)
        return CatalogUUID(other.kind, owner: other.owner, version: version, bits: part)
    }

    /// Parses a UUID; `nil` for a text that isn't one of these.
    package init?(_ text: String) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        guard text.utf8.count == 36, digits.count == 32,
            let high = Self.word(digits.prefix(16)), let low = Self.word(digits.suffix(16)),
            (high >> 12) & 0xF == 8, low >> 62 == 2
        else { return nil }
        // 64 bits of kind and owner are spread around the version: 48 before it, 12 after it, 4 after the variant.
        let head = (high >> 16) << 16 | (high & 0xFFF) << 4 | (low >> 58) & 0xF
        guard let kind = Kind(rawValue: head >> 60) else { return nil }
        self.kind = kind
        owner = Int64(clamping: head & Self.ownerBits)
        version = Int(clamping: (low >> 46) & 0xFFF)
        part = low & Self.partBits
        guard self.text == text.lowercased() else { return nil }
    }

    /// The UUID in lower case.
    package var text: String {
        let head = kind.rawValue << 60 | UInt64(clamping: owner)
        let high = (head >> 16) << 16 | 8 << 12 | (head >> 4) & 0xFFF
        let low = 2 << 62 | (head & 0xF) << 58 | UInt64(clamping: version) << 46 | part
        return String(unsafeUninitializedCapacity: 36) { buffer in
            var place = 0
            for digit in 0..<32 {
                if [8, 12, 16, 20].contains(digit) {
                    buffer[place] = UInt8(ascii: "-")
                    place += 1
                }
                let bits = digit < 16 ? high >> (60 - 4 * digit) : low >> (124 - 4 * digit)
                let nibble = UInt8(truncatingIfNeeded: bits & 0xF)
                buffer[place] = nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
                place += 1
            }
            return place
        }
    }

    /// Returns true if the UUID is that of a part of the group.
    package func isPart(ofGroup id: String) -> Bool {
        switch kind {
        case .groupVersion, .groupLocalization: Self.number(ofGroup: id) == owner
        case .namedGroupVersion, .namedGroupLocalization:
            Self.number(ofGroup: id) == nil && Self.hash(ofGroup: id) == owner
        default: false
        }
    }

    /// The ID of the group that the UUID is a part of; `nil` if the group's ID is text.
    package var groupID: String? {
        kind == .groupVersion || kind == .groupLocalization ? String(owner) : nil
    }

    private static func number(ofGroup id: String) -> Int64? {
        guard let number = Int64(id), number > 0, number <= ownerBits, String(number) == id else { return nil }
        return number
    }

    private static func hash(ofGroup id: String) -> Int64 { Int64(clamping: hash(id) & ownerBits) }

    /// FNV-1a with 64 bits. It is the same in each process, unlike `Hasher`.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64(truncatingIfNeeded: $1)) &* 0x100_0000_01b3 }
    }

    private static func word(_ digits: some Sequence<UInt8>) -> UInt64? {
        let text = String(decoding: Array(digits), as: UTF8.self)
        guard !text.hasPrefix("+") else { return nil }
        return UInt64(text, radix: 16)
    }
}
