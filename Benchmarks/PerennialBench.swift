@main
struct PerennialBench {
    static func main() { print("nothing yet") }
}
