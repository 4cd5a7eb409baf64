/// Texts that many entries share, by number: product IDs, groups, headers of signed texts.
struct TextTable {
    /// Number of a text that isn't there.
    static let none = UInt32.max

    private(set) var texts: [String] = []
    private var numbers: [String: UInt32] = [:]

    init() {}

    init(_ texts: [String]) {
        self.texts = texts
    }

    /// Returns the number of a text, and adds the text if it is new.
    mutating func number(of text: String?) -> UInt32 {
        guard let text else { return Self.none }
        if let known = numbers[text] { return known }
        let number = UInt32(clamping: texts.count)
        numbers[text] = number
        texts.append(text)
        return number
    }

    func text(_ number: UInt32) throws(VaultFormatError) -> String {
        guard number < texts.count else { throw VaultFormatError(position: Int(number)) }
        return texts[Int(number)]
    }

    func optionalText(_ number: UInt32) throws(VaultFormatError) -> String? {
        number == Self.none ? nil : try text(number)
    }
}
