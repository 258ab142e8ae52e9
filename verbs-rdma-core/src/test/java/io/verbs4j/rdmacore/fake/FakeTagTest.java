/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.fake.programs.TagProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tag matching and connection options on a test library: the arguments passed to it, and the handling of its results.
 */
class FakeTagTest {
    @TempDir
    Path scratch;

    private List<String> run(Map<String, String> more) throws IOException, InterruptedException {
        Path library = FakeLibrary.make(scratch, "faketags.c");
        Map<String, String> environment = new HashMap<>(more);
        environment.put("FAKE_SIZES", "648");
        environment.put("SYSFS_PATH", FakeLibrary.sysfs(scratch, 2).toString());
        ProgramRun run = FakeLibrary.java(
                scratch,
                environment,
                List.of("-D" + Libibverbs.LIBRARY_PROPERTY + "=" + library),
                List.of(),
                Set.of(),
                TagProgram.class);
        assertThat(run.status()).as(run.output()).isZero();
        return run.lines();
    }

    @Test
    void tagMatchingCallsReachC() throws IOException, InterruptedException {
        List<String> lines = run(Map.of());

        String add = "id 7, tag 8000000000000005, mask ffffffffffffffff, 1000+200 by abc";
        assertThat(lines)
                .containsSubsequence(
                        "can 1 127 32 1 64",
                        "create_srq_ex type 2, mask 27, 5 tags, 3 ops",
                        "op 0: wr_id 99, flags 1, count 0, handle 0, " + add,
                        "op 2: wr_id 18446744073709551614, flags 3, count 4294967293, handle 0, id 0, tag 0, mask 0,",
                        "posted 0",
                        "op 0: wr_id 99, flags 1, count 0, handle 0, " + add.replace("id 7", "id 10"),
                        "posted 0",
                        "op 0: wr_id 99, flags 1, count 0, handle 0, " + add.replace("id 7", "id 11"),
                        "posted 0",
                        "handle 2",
                        "op 1: wr_id 0, flags 0, count 0, handle 2, id 0, tag 0, mask 0,",
                        "posted 0",
                        "posted EINVAL bad 0",
                        "posted EINVAL bad 0",
                        "posted EINVAL bad 0",
                        "posted EINVAL bad 99",
                        "posted EINVAL bad 99",
                        "posted ENOMEM bad 99",
                        "posted EOPNOTSUPP bad 99",
                        "posted EOPNOTSUPP bad 0",
                        "posted ENOMEM bad -2",
                        "posted EINVAL",
                        "read 0 TM_ADD TM_SYNC_REQ 99 0, tag 0x0, 0x0",
                        "read 0 TM_RECV TM_MATCH 7 0, tag 0x500000001, 0x3d",
                        "read 0 TM_RECV TM_DATA_VALID 7 300, tag 0x500000002, 0x3e",
                        "read 0 TM_RECV 0 8 400, tag 0x0, 0x0",
                        "read 0 TM_NO_TAG 0 9 500, tag 0x0, 0x0",
                        "read 23 TM_RECV TM_MATCH 10 32, tag 0x0, 0x0",
                        "posted EINVAL bad 0",
                        "posted EINVAL bad 0");
        assertThat(lines)
                .containsSubsequence(
                        "posted EINVAL bad 0",
                        "polled 0",
                        "polled 6",
                        "wc 0 99 0 0 0",
                        "wc 0 7 500000001 61 48",
                        "wc 0 7 500000002 62 48",
                        "wc 0 8 0 0 0",
                        "wc 0 9 0 0 0",
                        "wc 23 10 0 0 0",
                        "polled 0",
                        "polled 6",
                        "wc 0 99 0 0 0",
                        "wc 0 7 0 0 0",
                        "posted EINVAL bad 99");
        said(lines, "a queue without the header", "create_srq_ex: EINVAL", "created by createCqEx with TM_INFO");
        said(lines, "what is told", "nothing failed");
    }

    @Test
    void connectionOptionsReachC() throws IOException, InterruptedException {
        List<String> lines = run(Map.of());

        assertThat(lines)
                .containsSubsequence(
                        "has true true",
                        "offered vendor 0x15b3, options 0xf0",
                        "set_ece of 12: 15b3, ff, 0",
                        "accepted vendor 0x15b3, options 0xf, told vendor 0x15b3, options 0xf",
                        "set_ece of 12: 1, 0, 0");
        said(lines, "another vendor", "set_ece: EINVAL");
        said(lines, "a bit", "set_ece: EOPNOTSUPP", "the mask is 0x1");
        said(lines, "options", "nothing failed");
    }

    @Test
    void deviceWithoutTagMatchingRefusesIt() throws IOException, InterruptedException {
        List<String> lines = run(Map.of("FAKE_WITHOUT_TAGS", "1"));

        assertThat(lines).contains("can 0 0 0 0 0").noneMatch(line -> line.startsWith("create_srq_ex type"));
        said(lines, "a queue without the header", "create_srq_ex: EOPNOTSUPP", "no shared receive queues of type TM");
        said(lines, "what is told", "create_cq_ex: EOPNOTSUPP", "TM_INFO");
    }

    private static void said(List<String> lines, String what, String... words) {
        assertThat(lines)
                .filteredOn(line -> line.startsWith(what + ":"))
                .singleElement(org.assertj.core.api.InstanceOfAssertFactories.STRING)
                .contains(words);
    }
}
