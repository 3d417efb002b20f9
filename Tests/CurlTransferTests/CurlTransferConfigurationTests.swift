import CurlTransfer
import Testing

struct CurlTransferConfigurationTests {
    @Test(
        "All streams' buffers together are bounded, within what libcurl takes",
        arguments: [(0, 512 << 10), (1, 512 << 10), (64, 512 << 10), (128, 256 << 10), (10_000, 16 << 10)]
    )
    func receiveBufferSize(streams: Int, bytes: Int) {
        #expect(CurlTransferConfiguration.receiveBufferSize(streams: streams) == bytes)
    }
}
