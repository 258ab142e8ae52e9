/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.Errno;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.layout.ContextLayout;
import io.verbs4j.rdmacore.object.IbvMw;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeMemoryWindow;
import io.verbs4j.rdmacore.object.WindowBook;

/** Implements the verbs for memory windows. */
final class WindowVerbs {
    private final ContextFunctions functions;
    private final WindowBook windows;

    WindowVerbs(ContextFunctions functions, WindowBook windows) {
        this.functions = functions;
        this.windows = windows;
    }

    MemoryWindow allocMw(ProtectionDomain pd, int type) {
        NativeFunction function = functions.op(ContextLayout.OPS_ALLOC_MW);
        if (function == null) {
            throw Answers.failed("alloc_mw", Errno.EOPNOTSUPP);
        }
        Answers.requireByte("alloc_mw", "the type", type);
        boolean known = type == MwType.TYPE_1 || type == MwType.TYPE_2;
        long mw = function.call(IbvObject.addressOf(pd), type);
        NativeMemoryWindow window =
                new NativeMemoryWindow(pd, type, new IbvMw(Answers.checkPointer("alloc_mw", mw, known)));
        if (type == MwType.TYPE_2) {
            windows.add(window.ibv);
        }
        return window;
    }

    void deallocMw(MemoryWindow mw) {
        IbvMw window = ((NativeMemoryWindow) mw).ibv;
        NativeFunction function = functions.op(ContextLayout.OPS_DEALLOC_MW);
        boolean kept = mw.type() == MwType.TYPE_2;
        window.pin().closeFor(() -> {
            if (kept) {
                windows.remove(window); // before its memory is freed
            }
            try {
                Answers.check("dealloc_mw", function.call(window.address()));
            } catch (VerbsException e) {
                if (kept) {
                    windows.add(window);
                }
                throw e;
            }
        });
    }
}
