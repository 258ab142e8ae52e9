/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.efadv.EfaCqInitAttr;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.efa.dv.Libefa;
import io.verbs4j.provider.efa.layout.EfaCqInitAttrLayout;

/** Completion queues in memory that the program provides. */
final class EfaCqMemory {
    private static final String VERB = "efadv_create_cq";

    /** Source: {@code EFADV_CQ_INIT_FLAGS_EXT_MEM_DMABUF}. */
    private static final long EXT_MEM_DMABUF = 1 << 0;

    private EfaCqMemory() {}

    /** Refuses impossible combinations, and clears the memory: libefa would take old contents for completions. */
    static void prepare(CqInitAttrEx attr, EfaCqInitAttr efa) {
        if (!Libefa.has("efadv_query_cq")) { // older releases report a misleading EINVAL
            throw new VerbsException(
                    Errno.ENOSYS,
                    VERB,
                    "the loaded libefa can't place queues in the program's memory; that came with rdma-core 59:"
                            + " install that or a later release");
        }
        if (attr.channel() != null) {
            throw new VerbsException(
                    Errno.EINVAL,
                    VERB,
                    "a queue in the program's memory has no doorbell to request events with; leave channel out");
        }
        if (efa.dmabufMapping() != null) {
            NativeMemory.clear(NativeMemory.address(efa.dmabufMapping()), efa.dmabufLength());
        }
    }

    /** Writes the attributes into a {@code struct efadv_cq_init_attr}, and returns the size that libefa must read. */
    static int write(long at, EfaCqInitAttr efa) {
        boolean seen = efa.dmabufMapping() != null;
        NativeMemory.putLong(at + EfaCqInitAttrLayout.FLAGS, EXT_MEM_DMABUF);
        NativeMemory.putLong(
                at + EfaCqInitAttrLayout.EXT_MEM_DMABUF_BUFFER, seen ? NativeMemory.address(efa.dmabufMapping()) : 0);
        NativeMemory.putLong(at + EfaCqInitAttrLayout.EXT_MEM_DMABUF_LENGTH, efa.dmabufLength());
        NativeMemory.putLong(at + EfaCqInitAttrLayout.EXT_MEM_DMABUF_OFFSET, efa.dmabufOffset());
        NativeMemory.putInt(at + EfaCqInitAttrLayout.EXT_MEM_DMABUF_FD, efa.dmabufFd());
        return EfaCqInitAttrLayout.SIZEOF;
    }
}
