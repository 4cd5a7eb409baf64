import FastJSON
import Perennial

extension ConnectSchema {
    /// Splits a table at its empty lines.
    static func blocks(_ table: String) -> [[[Substring]]] {
        table.split(separator: "\n\n").map { block in
            block.split(separator: "\n").map { $0.split(separator: " ") }
        }
    }

    static func enumerations(_ table: String) -> [String: [String]] {
        var (members, name): ([String: [String]], String) = ([:], "")
        for line in table.split(separator: "\n") {
            var words = line.split(separator: " ").map(String.init)
            // An indented line continues the one before.
            if !line.hasPrefix(" ") { name = words.removeFirst() }
            members[name, default: []] += words
        }
        return members
    }

    static func type(_ lines: [[Substring]], _ enumerations: [String: [String]]) -> ConnectType {
        var type = ConnectType(name: String(lines[0][0]), version: String(lines[0][1]))
        for words in lines.dropFirst() {
            if words[0].allSatisfy(\.isUppercase) {
                type.operations.append(operation(words, of: type))
            } else if ">*".contains(words[1].prefix(1)) {
                type.relationships.append(relationship(words))
            } else {
                type.attributes.append(
                    ConnectAttribute(
                        name: String(words[0]), kind: kind(String(words[1]), enumerations),
                        isReadable: !words.contains("write"), uses: uses(words)))
            }
        }
        return type
    }

    private static func kind(_ word: String, _ enumerations: [String: [String]]) -> ConnectAttribute.Kind {
        if word.hasPrefix("[") { return .list(kind(String(word.dropFirst().dropLast()), enumerations)) }
        return switch word {
        case "text": .text
        case "integer": .integer
        case "boolean": .boolean
        case "date": .date
        case "dateTime": .dateTime
        case "TerritoryCode": .oneOf(Storefront.all.map(\.storefront.rawValue))
        default: enumerations[word].map { .oneOf($0) } ?? .object(word)
        }
    }

    private static func relationship(_ words: [Substring]) -> ConnectRelationship {
        let target = words[1].dropFirst()
        return ConnectRelationship(
            name: String(words[0]), isToMany: words[1].hasPrefix("*"), target: target == "-" ? nil : String(target),
            hasLinks: words.contains("links"), isIncludable: words.contains("data"), uses: uses(words))
    }

    private static func uses(_ words: [Substring]) -> [ConnectBodyKind: ConnectMemberUse] {
        var uses: [ConnectBodyKind: ConnectMemberUse] = [:]
        for word in words.dropFirst(2) {
            guard let kind = ConnectBodyKind(rawValue: word.filter(\.isLetter)) else { continue }
            var use = ConnectMemberUse.allowed
            if word.contains("!") { use.insert(.required) }
            if word.contains("+") { use.insert(.inline) }
            uses[kind] = use
        }
        return uses
    }

    private static func operation(_ words: [Substring], of type: ConnectType) -> ConnectOperation {
        let method = String(words[0])
        let path = words[1] == "-" ? type.path : "\(type.path)/\(words[1])"
        func list(_ key: String) -> [String] {
            words.filter { $0.hasPrefix("\(key)=") }.flatMap {
                $0.dropFirst(key.count + 1).split(separator: ",").map(String.init)
            }
        }
        let filters = list("filter")
        return ConnectOperation(
            method: method, path: path, type: type.name, action: action(method, words[1].split(separator: "/")),
            since: String(words[2]), isDeprecated: words.contains("deprecated"),
            verdict: words.dropFirst(3).lazy.compactMap { ConnectOperation.Verdict(rawValue: String($0)) }.first
                ?? .must,
            filters: filters.map { $0.replacing("!", with: "") },
            requiredFilters: filters.filter { $0.hasSuffix("!") }.map { String($0.dropLast()) }, sorts: list("sort"),
            existences: list("exists"))
    }

    /// - Parameter parts: Of the path below the type's.
    private static func action(_ method: String, _ parts: [Substring]) -> ConnectOperation.Action {
        switch (method, parts.count) {
        case ("POST", 1) where parts[0] == "-": .create
        case (_, 3):
            switch method {
            case "PATCH": .setLinkages(String(parts[2]))
            case "POST": .addLinkages(String(parts[2]))
            case "DELETE": .removeLinkages(String(parts[2]))
            default: .linkages(String(parts[2]))
            }
        case (_, 2): .related(String(parts[1]))
        case ("PATCH", _): .update
        case ("DELETE", _): .delete
        default: parts[0] == "-" ? .list : .read
        }
    }
}
