/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.Resources;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A peer's datagrams reach the window it was given, and not a byte more. */
class WindowWriterTest {
    private static final long ID = 0x8123_4567_89ab_cdefL;
    private static final int PEER = 3;
    private static final int OFFSET = 100;
    private static final int LENGTH = 50;

    private final Resources resources = new Resources();
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(500);
    private final WindowTable windows = new WindowTable(Runnable::run);
    private final WindowWriter writer = new WindowWriter(windows, PEER);

    private LocalWindow window(long id, int rights) {
        Context context = resources.add(Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT));
        ProtectionDomain pd = resources.add(context.allocPd());
        MemoryRegion whole = resources.add(pd.regMr(bytes, AccessFlags.LOCAL_WRITE));
        MemoryRegion part = pd.regMr(bytes.slice(OFFSET, LENGTH), AccessFlags.LOCAL_WRITE);
        resources.add(part);
        RegisteredMemory memory = new RegisteredMemory(0, bytes, new MemoryRegion[] {whole});
        LocalWindow window = new LocalWindow(id, memory, OFFSET, part.length(), new MemoryRegion[] {part}, rights);
        assertThat(windows.add(window)).isTrue();
        return window;
    }

    private boolean write(LocalWindow window, long offset, int length) {
        byte[] from = new byte[length + 2];
        Arrays.fill(from, (byte) 7);
        from[0] = 1;
        from[length + 1] = 2;
        return writer.write(
                WindowWriter.key(window.id()),
                WindowWriter.address(window.id()) + offset,
                ByteBuffer.wrap(from),
                1,
                length);
    }

    private void assertWritten(int from, int to) {
        for (int i = 0; i < bytes.capacity(); i++) {
            assertThat(bytes.get(i)).as("byte %d", i).isEqualTo((byte) (i >= from && i < to ? 7 : 0));
        }
    }

    @AfterEach
    void close() {
        resources.close();
    }

    @ParameterizedTest
    @CsvSource({"0,50", "0,1", "49,1", "20,7", "0,0", "50,0"})
    void bytesInsideWindowAreWritten(int offset, int length) {
        LocalWindow window = window(ID, RemoteWindow.WRITE);
        assertThat(windows.lookUp(ID, PEER)).isSameAs(window);
        assertThat(write(window, offset, length)).isTrue();
        assertWritten(OFFSET + offset, OFFSET + offset + length);
    }

    @ParameterizedTest
    @CsvSource({"0,51", "50,1", "49,2", "-1,1", "-100,1", "2147483647,1", "4294967295,2", "4294967296,1", "500,1"})
    void bytesOutsideWindowAreRefused(long offset, int length) {
        LocalWindow window = window(ID, RemoteWindow.WRITE);
        assertThat(windows.lookUp(ID, PEER)).isSameAs(window);
        assertThat(write(window, offset, length)).isFalse();
        assertWritten(0, 0);
    }

    @Test
    void windowUnknownToPeerIsRefused() {
        LocalWindow window = window(ID, RemoteWindow.WRITE);
        assertThat(write(window, 0, 1)).isFalse();
        assertThat(windows.lookUp(ID, PEER + 1)).isSameAs(window);
        assertThat(write(window, 0, 1)).as("another peer knows it").isFalse();
        assertWritten(0, 0);
    }

    @Test
    void unknownIdentifierIsRefused() {
        LocalWindow window = window(ID, RemoteWindow.WRITE);
        assertThat(windows.lookUp(ID, PEER)).isSameAs(window);
        ByteBuffer from = ByteBuffer.allocate(1);
        int key = WindowWriter.key(window.id());
        long address = WindowWriter.address(window.id());
        assertThat(writer.write(key + 1, address, from, 0, 1)).isFalse();
        assertThat(writer.write(key, address ^ 1L << 32, from, 0, 1)).isFalse();
        assertThat(writer.write(key, 0, from, 0, 1)).isFalse();
        assertThat(writer.write(key, address, from, 0, 1)).isTrue();
    }

    @Test
    void readOnlyWindowIsRefused() {
        LocalWindow window = window(ID, RemoteWindow.READ);
        assertThat(windows.lookUp(ID, PEER)).isSameAs(window);
        assertThat(write(window, 0, 1)).isFalse();
        assertWritten(0, 0);
    }

    /** Data in flight is still written; data after the peer has given the window back is not. */
    @Test
    void revokedWindowIsWrittenUntilPeerReturnsIt() {
        LocalWindow window = window(ID, RemoteWindow.WRITE);
        assertThat(windows.lookUp(ID, PEER)).isSameAs(window);
        assertThat(windows.lookUp(ID, PEER + 1)).isSameAs(window);
        windows.revoke(window);
        assertThat(write(window, 0, 1)).isTrue();
        windows.revoked(ID, PEER);
        assertThat(write(window, 1, 1)).isFalse();
        assertWritten(OFFSET, OFFSET + 1);
    }
}
