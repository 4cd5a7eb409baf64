import ArgumentParser
import Foundation

/// What a snippet is written in.
enum SnippetLanguage: String, CaseIterable, ExpressibleByArgument {
    case swift, python, node, java, go, curl

    /// As it is written.
    var name: String { self == .curl ? rawValue : rawValue.capitalized }

    /// A program.
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

    /// A line to begin with: the client of Apple's library (Go: of the usual one), or a purchase.
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
