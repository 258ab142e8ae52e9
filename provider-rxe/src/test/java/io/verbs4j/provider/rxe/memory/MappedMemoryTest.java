/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The kind of a range of memory, according to Linux's list of mappings. */
class MappedMemoryTest {
    private static final String[] LINES = {
        "1000-2000 r--p 00000000 08:01 77  /a (deleted) 1-2",
        "2000-5000 rw-p 00000000 00:00 0 ",
        "7000-8000 rw-p 00000000 00:00 0  [heap]",
        "8000-9000 ---p 00000000 00:00 0 ",
        "9000-a000 r--p 00000000 00:00 0  [anon: a-b]",
        "7fff0000-7fff8000 rw-s 00000000 00:05 1  /dev/shm/x",
        "ffffffffff600000-ffffffffff601000 r-xp 00000000 00:00 0  [vsyscall]",
    };

    private static MappedMemory of(int lines, long from, long to, boolean writable) {
        StringBuilder maps = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            maps.append(LINES[i]).append('\n');
        }
        return MappedMemory.in(maps.toString(), from, to - from, writable);
    }

    private static MappedMemory of(long from, long to, boolean writable) {
        return of(LINES.length, from, to, writable);
    }

    @Test
    void rangeWithinMappingHasItsKind() {
        assertThat(of(0x1000, 0x1001, false)).isEqualTo(MappedMemory.FILE);
        assertThat(of(0x1fff, 0x2000, false)).isEqualTo(MappedMemory.FILE);
        assertThat(of(0x2000, 0x5000, true)).isEqualTo(MappedMemory.ANONYMOUS);
        assertThat(of(0x7abc, 0x7abd, true)).isEqualTo(MappedMemory.ANONYMOUS);
        assertThat(of(0x9000, 0xa000, false)).isEqualTo(MappedMemory.ANONYMOUS);
        assertThat(of(0x7fff_0000L, 0x7fff_8000L, true)).isEqualTo(MappedMemory.FILE);
        assertThat(of(0xffff_ffff_ff60_0000L, 0xffff_ffff_ff60_1000L, false)).isEqualTo(MappedMemory.FILE);
    }

    /** Some of the kernel's own mappings have pages that nobody can access. */
    @Test
    void kernelMappingsCountAsFiles() {
        String maps = """
                7000-8000 rw-p 00000000 00:00 0 [heap]
                8000-9000 r--p 00000000 00:00 0                          [vvar_vclock]
                9000-a000 rw-p 00000000 00:00 0
                a000-b000 r-xp 00000000 00:00 0                          [vdso]
                """;
        assertThat(MappedMemory.in(maps, 0x7000, 0x1000, true)).isEqualTo(MappedMemory.ANONYMOUS);
        assertThat(MappedMemory.in(maps, 0x8ff8, 8, false)).isEqualTo(MappedMemory.FILE);
        assertThat(MappedMemory.in(maps, 0x9000, 0x1000, true)).isEqualTo(MappedMemory.ANONYMOUS);
        assertThat(MappedMemory.in(maps, 0xa000, 8, false)).isEqualTo(MappedMemory.FILE);
    }

    @Test
    void rangeAcrossFileMappingIsFile() {
        assertThat(of(0x1fff, 0x2001, false)).isEqualTo(MappedMemory.FILE);
        assertThat(of(0x1000, 0x5000, false)).isEqualTo(MappedMemory.FILE);
    }

    @Test
    void unmappedRangeIsAbsent() {
        assertThat(of(0, 0x1000, false)).isEqualTo(MappedMemory.ABSENT);
        assertThat(of(0xfff, 0x1001, false)).isEqualTo(MappedMemory.ABSENT);
        assertThat(of(0x5000, 0x5001, false)).isEqualTo(MappedMemory.ABSENT);
        assertThat(of(0x4fff, 0x5001, false)).isEqualTo(MappedMemory.ABSENT);
        assertThat(of(0x2000, 0x8000, false)).isEqualTo(MappedMemory.ABSENT);
        assertThat(of(0xa000, 0xa001, false)).isEqualTo(MappedMemory.ABSENT);
        assertThat(of(0xffff_ffff_ff60_1000L, 0xffff_ffff_ff60_1001L, false)).isEqualTo(MappedMemory.ABSENT);
    }

    @Test
    void inaccessibleRangeIsAbsent() {
        assertThat(of(0x8000, 0x8001, false)).isEqualTo(MappedMemory.ABSENT);
        assertThat(of(0x7000, 0x9000, false)).isEqualTo(MappedMemory.ABSENT);
        assertThat(of(0x1000, 0x1001, true)).isEqualTo(MappedMemory.ABSENT);
        assertThat(of(0x1fff, 0x2001, true)).isEqualTo(MappedMemory.ABSENT);
    }

    @Test
    void listOfAnyLengthIsSearched() {
        for (int lines = 0; lines <= LINES.length; lines++) {
            assertThat(of(lines, 0x3000, 0x3001, true))
                    .isEqualTo(lines < 2 ? MappedMemory.ABSENT : MappedMemory.ANONYMOUS);
            assertThat(of(lines, 0x1800, 0x1801, false)).isEqualTo(lines < 1 ? MappedMemory.ABSENT : MappedMemory.FILE);
        }
    }

    @Test
    void listOfThisProcessIsRead() {
        ByteBuffer own = ByteBuffer.allocateDirect(1);
        assertThat(MappedMemory.of(NativeMemory.address(own), 1, true)).isEqualTo(MappedMemory.ANONYMOUS);
        assertThat(MappedMemory.of(0, 1, false)).isEqualTo(MappedMemory.ABSENT);
    }
}
