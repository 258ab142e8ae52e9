/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tools.traffic.Pattern;
import io.verbs4j.tools.traffic.Service;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContentsTest {
    private static final int SIZE = 10000;

    private final ByteBuffer buffer = Pattern.allocate(SIZE);

    private Contents contents(Service service, boolean client, boolean check, int size) {
        PingPongOptions options = new PingPongOptions();
        options.size = size;
        options.check = check;
        return new Contents(service, client, options, Contents.Peer.UNKNOWN, buffer);
    }

    private void cFilling(int filling, boolean zeroPages, int size) {
        for (int i = 0; i < size; i++) {
            buffer.put(i, (byte) (zeroPages && i % 4096 == 0 ? 0 : filling));
        }
    }

    @ParameterizedTest
    @CsvSource({"false,10000", "true,10000", "false,1", "true,1", "true,4097", "false,17"})
    void javaPeersVerifyEveryByte(boolean check, int size) {
        Contents client = contents(Service.RC, true, check, size);
        Contents server = contents(Service.RC, false, check, size);
        for (int i = 0; i < 3; i++) {
            client.write(0, 0, i);
            server.verify(0, 0, i);
            server.write(0, 0, i);
            client.verify(0, 0, i);
        }
        assertThat(client.peer()).isEqualTo(Contents.Peer.VERBS4J);
        assertThat(server.bytesVerified()).isEqualTo(3L * size);
        assertThat(client.bytesVerified()).isEqualTo(3L * size);
        assertThat(client.peerIsOurs()).isEqualTo(size >= 16);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4096, 9999})
    void wrongByteIsDetected(int at) {
        Contents client = contents(Service.RC, true, false, SIZE);
        Contents server = contents(Service.RC, false, false, SIZE);
        client.write(0, 0, 0);
        server.verify(0, 0, 0);
        client.write(0, 0, 1);
        buffer.put(at, (byte) (buffer.get(at) + 1));
        assertThatThrownBy(() -> server.verify(0, 0, 1))
                .hasMessageContaining("data mismatch: message 1 has 0x")
                .hasMessageContaining("at offset " + at + ",");
    }

    @Test
    void firstMessageOfUnknownPatternIsRefused() {
        Contents client = contents(Service.RC, true, false, SIZE);
        Contents server = contents(Service.RC, false, false, SIZE);
        client.write(0, 0, 0);
        buffer.put(77, (byte) (buffer.get(77) + 1));
        assertThatThrownBy(() -> server.verify(0, 0, 0)).hasMessageContaining("at offset 77,");
    }

    @Test
    void staleMessageIsDetected() {
        Contents client = contents(Service.RC, true, false, 8);
        Contents server = contents(Service.RC, false, false, 8);
        client.write(0, 0, 0);
        server.verify(0, 0, 0);
        assertThatThrownBy(() -> server.verify(0, 0, 1)).hasMessageContaining("message 1");
    }

    /** The C client fills its only buffer with 0x7b, or 0 for srq. With -c, it clears the first byte of each page. */
    @ParameterizedTest
    @CsvSource({
        "RC,123,false,10000",
        "UC,123,true,10000",
        "SRQ,0,false,10000",
        "SRQ,0,true,10000",
        "UD,123,true,1024",
        "RC,123,false,1",
        "RC,123,true,1"
    })
    void clientInCGetsItsBytesBack(Service service, int filling, boolean check, int size) {
        Contents server = contents(service, false, check, size);
        for (int i = 0; i < 3; i++) {
            cFilling(filling, check, size);
            ByteBuffer before = ByteBuffer.allocate(size).put(0, buffer, 0, size);
            server.verify(0, 0, i);
            server.write(0, 0, i);
            assertThat(ByteBuffer.allocate(size).put(0, buffer, 0, size)).isEqualTo(before);
        }
        assertThat(server.bytesVerified()).isEqualTo(3L * size);
        assertThat(server.peerIsOurs()).isFalse();
    }

    /** The only buffer of a C server holds what the client sent, and the server sends that back. */
    @ParameterizedTest
    @CsvSource({"false,10000", "true,10000", "false,1"})
    void serverInCReturnsPatternOfClient(boolean check, int size) {
        Contents client = contents(Service.RC, true, check, size);
        for (int i = 0; i < 3; i++) {
            client.write(0, 0, i);
            client.verify(0, 0, i);
            assertThat(!check || buffer.get(0) == 0).isTrue(); // the C server checks this
        }
        assertThat(client.peer()).isEqualTo(Contents.Peer.C);
        assertThat(client.bytesVerified()).isEqualTo(3L * size);
    }

    @Test
    void wrongByteOfServerInCIsDetected() {
        Contents client = contents(Service.RC, true, false, SIZE);
        client.write(0, 0, 0);
        client.verify(0, 0, 0);
        client.write(0, 0, 1);
        buffer.put(5000, (byte) (buffer.get(5000) + 1));
        assertThatThrownBy(() -> client.verify(0, 0, 1)).hasMessageContaining("at offset 5000,");
    }

    @Test
    void checkFailsIfClientDidNotClearPages() {
        Contents server = contents(Service.RC, false, true, SIZE);
        cFilling(0x7b, false, SIZE);
        assertThatThrownBy(() -> server.verify(0, 0, 0))
                .hasMessageContaining("invalid data in page 0")
                .hasMessageContaining("give -c to both sides");
    }

    /** In the C server, queue pairs that share a receive queue mix their messages in its only buffer. */
    @Test
    void onlyFirstBytesOfPagesAreVerifiedWithSrqServerInC() {
        Contents client = contents(Service.SRQ, true, true, SIZE);
        client.write(0, 0, 0);
        buffer.put(1, (byte) (buffer.get(1) + 1));
        client.verify(0, 0, 0);
        assertThat(client.bytesVerified()).isEqualTo(3);
        buffer.put(4096, (byte) 1);
        assertThatThrownBy(() -> client.verify(0, 0, 1)).hasMessageContaining("invalid data in page 1");
    }
}
