import ArgumentParser

/// Finds the known names that are spelled like a wrong one.
enum NearMatches {
    /// The most names that an error lists.
    static let maximum = 3

    /// Returns the names that are likely meant, the likeliest first.
    ///
    /// A name matches if a third of its letters, at most, differ. Its last components match alone: `montly` finds
    /// `com.example.monthly`.
    static func of(_ word: String, in names: some Sequence<String>) -> [String] {
        let wanted = word.lowercased()
        guard !wanted.isEmpty else { return [] }
        let ranked = names.compactMap { name -> (name: String, distance: Int)? in
            let known = name.lowercased()
            if known == wanted { return (name, 0) }
            if wanted.count >= 3, known.hasPrefix(wanted) { return (name, 1) }
            return distance(wanted, known).map { (name, $0) }
        }
        let nearest = ranked.map(\.distance).min() ?? 0
        return ranked.filter { $0.distance <= nearest + 1 }
            .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(maximum).map(\.name)
    }

    /// The distance to a name, or to its last components; `nil` if more than a third of the letters differ.
    private static func distance(_ word: String, _ name: String) -> Int? {
        let components = name.split(separator: ".")
        return components.indices.compactMap { start -> Int? in
            let end = components[start...].joined(separator: ".")
            let distance = editDistance(Array(word.utf8), Array(end.utf8))
            return distance <= max(1, max(word.utf8.count, end.utf8.count) / 3) ? distance : nil
        }.min()
    }

    /// The number of letters to insert, delete, replace or swap with a neighbour.
    static func editDistance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        guard !one.isEmpty, !other.isEmpty else { return max(one.count, other.count) }
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for (row, letter) in one.enumerated() {
            var current = [row + 1]
            for (column, candidate) in other.enumerated() {
                var cost = min(
                    last[column + 1] + 1, current[column] + 1, last[column] + (letter == candidate ? 0 : 1))
                if row > 0, column > 0, letter == other[column - 1], one[row - 1] == candidate {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[other.count]
    }
}

/// A value among many that have names.
enum NamedValue {
    /// Returns the value of a name, in any case.
    ///
    /// - Parameter what: With its article: *a kind of entries*.
    /// - Throws: `ValidationError` with the names that are likely meant, or with all.
    static func find<Value>(
        _ text: String, _ what: String, in all: [Value], named name: (Value) -> String
    ) throws -> Value {
        if let found = all.first(where: { name($0).lowercased() == text.lowercased() }) { return found }
        let names = all.map(name)
        let similar = NearMatches.of(text, in: names)
        let hint =
            similar.isEmpty
            ? "It is one of: \(names.joined(separator: ", "))." : "Did you mean \(similar.joined(separator: " or "))?"
        throw ValidationError("“\(text)” isn't \(what). \(hint)")
    }
}

/// Adds to ArgumentParser's error about a value the one that is likely meant.
enum ValueSuggestion {
    /// Returns a message, with near matches if it is about a value that isn't one of those that it lists.
    static func adding(to message: String) -> String {
        let form =
            /The value '(?<value>[^']*)' is invalid for '[^']*'\. Please provide one of (?<list>'.*|the following:\n(?:  - .*\n?)+)/
        guard let found = message.firstMatch(of: form) else { return message }
        let names = found.list.matches(of: /'([^']+)'|  - (.+)/).compactMap { ($0.1 ?? $0.2).map(String.init) }
        let similar = NearMatches.of(String(found.value), in: names)
        guard !similar.isEmpty else { return message }
        let list = message[..<found.range.upperBound]
        let separator = list.hasSuffix("\n") ? "" : found.list.contains("\n") ? "\n" : " "
        let end = list.hasSuffix("\n") ? "\n" : ""
        return list + separator + "Did you mean \(similar.map { "'\($0)'" }.joined(separator: " or "))?" + end
            + message[found.range.upperBound...]
    }
}
