import Foundation
import Testing

/// Texts of HTTP that one place parses. `ArchitectureTests` has the encodings of bytes.
struct ParserTests {
    /// A kind of text, with the code that only its parser has.
    private struct Parser {
        let what: String
        /// The code of a parser.
        let form: String
        /// The file of the parser, and the other places with that code, each with a reason.
        let places: [String: String]
    }

    private static let parsers: [Parser] = [
        Parser(
            what: "the token of Authorization: Bearer TOKEN",
            form: #""[Bb]earer "|hasPrefix\("[Bb]earer|headers\[\.authorization\](?! = )"#,
            places: [
                "Sources/PerennialHTTP/Routing/BearerToken.swift": "The parser.",
                "Sources/AppStoreFormats/Inspection/PastedText.swift": "Pasted text is no request.",
                "Sources/AppStoreFormats/Inspection/CurlCommand.swift": "A command line is no request.",
                "Sources/PerennialCommand/Snippets/SnippetValues+Languages.swift": "It writes the header in Go.",
            ]),
        Parser(
            what: "the tags of If-Match and If-None-Match",
            form: #""W/|[tT]ags? = .*split\(|condition\.split\("#,
            places: ["Sources/PerennialDelivery/Content/EntityTags.swift": "The parser."]),
        Parser(
            what: "the conditions of a request",
            form: #"headers\[\.if(None)?Match\](?! = )"#,
            places: [
                "Sources/PerennialHTTP/ContentDelivery/DeliveryRoutes.swift": "It hands them to EntityTags.",
                "Sources/PerennialHTTP/Connect/Engine/ConnectEntityTag.swift": "It hands them to EntityTags.",
            ]),
    ]

    @Test(arguments: parsers.indices)
    func `a text is parsed in one place`(number: Int) throws {
        let parser = Self.parsers[number]
        let form = try Regex(parser.form)
        var found: Set<String> = []
        for file in try SourceTree.swiftFiles(in: "Sources") {
            for (number, line) in file.lines.enumerated()
            where !line.drop(while: { $0 == " " }).hasPrefix("//") && line.firstMatch(of: form) != nil {
                #expect(
                    parser.places[file.path] != nil, "\(file.path):\(number + 1) parses \(parser.what): \(line)")
                found.insert(file.path)
            }
        }
        #expect(Set(parser.places.keys).subtracting(found) == [])
    }

    @Test(arguments: [
        (0, true, #"guard text.hasPrefix("Bearer ") else"#), (0, true, #"header.dropFirst("bearer ".count)"#),
        (0, true, "let header = request.headers[.authorization]"),
        (0, false, #"headers[.authorization] = "Bearer \(token)""#),
        (1, true, #"tag.hasPrefix("W/")"#), (1, true, #"tags = header.split(separator: ",")"#),
        (1, false, #"let parts = header.split(separator: ",")"#),
        (2, true, "request.headers[.ifNoneMatch] == tag"), (2, true, "guard let tag = call.headers[.ifMatch] else"),
        (2, false, "headers[.ifNoneMatch] = cached.etag"),
    ])
    func `a second parser is recognised`(parser: Int, isParser: Bool, line: String) throws {
        #expect((line.firstMatch(of: try Regex(Self.parsers[parser].form)) != nil) == isParser)
    }
}
