/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.mlx5.layout.DvExportSizesLayout;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/** Serializes objects for another process. libmlx5 determines the number of bytes. */
final class DevxExports {
    private static final int SINCE = 63;

    private DevxExports() {}

    static int objectSize() {
        return size(DvExportSizesLayout.DEVX_OBJ_ATTRS_SIZE);
    }

    static int umemSize() {
        return size(DvExportSizesLayout.DEVX_UMEM_ATTRS_SIZE);
    }

    private static int size(int member) {
        try (Scratch c = new Scratch(DvExportSizesLayout.SIZEOF)) {
            Libmlx5.function("_mlx5dv_get_export_sizes", SINCE).call(c.address(), DvExportSizesLayout.SIZEOF);
            return NativeMemory.getInt(c.address() + member);
        }
    }

    static byte[] export(String function, long object, int size) {
        try (Scratch c = new Scratch(size)) {
            Answers.check(function, Libmlx5.function(function, SINCE).call(object, c.address()));
            byte[] bytes = new byte[size];
            NativeMemory.getBytes(c.address(), bytes);
            return bytes;
        }
    }

    static long take(String function, long context, byte[] bytes, int size) {
        if (bytes == null || bytes.length != size) {
            throw new VerbsException(
                    Errno.EINVAL,
                    function,
                    "the data to import has " + (bytes == null ? "no" : bytes.length) + " bytes instead of " + size
                            + "; it must be an export of the same release of libmlx5");
        }
        try (Scratch c = new Scratch(size)) {
            NativeMemory.putBytes(c.address(), bytes);
            return Answers.checkPointer(
                    function, Libmlx5.function(function, SINCE).call(context, c.address()));
        }
    }
}
