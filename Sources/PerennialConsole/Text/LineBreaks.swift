/// The places at which a line may break inside of a long word: after the dots of a product ID or an account's name.
///
/// Without them, browsers break a word that doesn't fit on a phone between any two letters.
enum LineBreaks {
    /// Bytes of a word that fits beside others on a phone.
    private static let shortWord = 14

    /// Returns the pieces of a text, between which lines may break; `nil` for a text without long words.
    static func pieces(of text: String) -> [String]? {
        guard text.utf8.count >= shortWord, text.utf8.contains(where: isMark) else { return nil }
        let bytes = Array(text.utf8)
        var (pieces, begin, word): ([String], Int, Int) = ([], 0, 0)
        for end in 0...bytes.count where end == bytes.count || bytes[end] <= UInt8(ascii: " ") {
            if end - word >= shortWord {
                for place in breaks(in: bytes[word..<end]) {
                    pieces.append(String(decoding: bytes[begin..<place], as: UTF8.self))
                    begin = place
                }
            }
            word = end + 1
        }
        guard begin > 0 else { return nil }
        return pieces + [String(decoding: bytes[begin...], as: UTF8.self)]
    }

    /// Returns the places after the marks of a word: not at its end, nor between the digits of a number.
    private static func breaks(in word: ArraySlice<UInt8>) -> [Int] {
        word.indices.dropFirst().dropLast().filter { place in
            guard isMark(word[place]), !isMark(word[place + 1]) else { return false }
            return !(isDigit(word[place - 1]) && isDigit(word[place + 1]))
        }.map { $0 + 1 }
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "@")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
