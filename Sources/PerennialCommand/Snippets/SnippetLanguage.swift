import ArgumentParser
import Foundation

/// The language of a snippet.
enum SnippetLanguage: String, CaseIterable, ExpressibleByArgument {
    case swift, python, node, java, go, curl

    /// The name in the banner.
    var name: String { self == .curl ? rawValue : rawValue.capitalized }

    /// Returns a whole program.
    func text(_ values: SnippetValues) -> String {
        switch self {
        case .swift: values.swift
        case .python: values.python
        case .node: values.node
        case .java: values.java
        case .go: values.go
        case .curl: values.curl
        }
    }

    /// Returns the first line: the client of Apple's library (Go: of the usual one), or a purchase.
    func line(_ values: SnippetValues) -> String {
        switch self {
        case .swift: values.swiftClient
        case .python: values.pythonClient
        case .node: values.nodeClient
        case .java: values.javaClient
        case .go: values.goClient
        case .curl: values.purchase
        }
    }
}
