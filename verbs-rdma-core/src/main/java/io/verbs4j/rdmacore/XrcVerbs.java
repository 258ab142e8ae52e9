/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdInitAttrMask;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.layout.XrcdInitAttrLayout;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeXrcDomain;
import io.verbs4j.slot.CloseXrcd;
import io.verbs4j.slot.OpenXrcd;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Implements the verbs for XRC domains. */
final class XrcVerbs {
    private static final long XRCD_BITS = XrcdInitAttrMask.FILE | XrcdInitAttrMask.OFLAGS;
    private static final int OPEN_FLAGS = XrcdOpenFlags.CREAT | XrcdOpenFlags.EXCL;
    private static final int NEW_FILE_MODE = 0600;

    private final NativeContext base;
    private final ContextFunctions functions;

    XrcVerbs(NativeContext base) {
        this.base = base;
        functions = base.functions();
    }

    void fill(ContextTable table) {
        fill(table, ContextSlot.OPEN_XRCD, ExtendedContextLayout.OPEN_XRCD, (OpenXrcd) this::openXrcd);
        fill(table, ContextSlot.CLOSE_XRCD, ExtendedContextLayout.CLOSE_XRCD, (CloseXrcd) this::closeXrcd);
    }

    private void fill(ContextTable table, int slot, int nativeSlot, Object function) {
        if (functions.extended(nativeSlot) != null) {
            table.fillProvider(slot, function);
        }
    }

    private XrcDomain openXrcd(XrcdInitAttr attr) {
        String verb = "open_xrcd";
        Answers.refuseUnknown(verb, attr, XRCD_BITS);
        Answers.requireKnown(verb, "oflags", attr.oflags(), OPEN_FLAGS, XrcdOpenFlags::toString);
        int fd = attr.file() == null ? -1 : open(verb, attr.file(), attr.oflags());
        try (Scratch c = new Scratch(XrcdInitAttrLayout.SIZEOF)) {
            NativeMemory.putInt(c.address() + XrcdInitAttrLayout.COMP_MASK, (int) XRCD_BITS);
            NativeMemory.putInt(c.address() + XrcdInitAttrLayout.FD, fd);
            // Without a file the kernel needs the flag to create the domain.
            int oflags = fd == -1 ? attr.oflags() | XrcdOpenFlags.CREAT : attr.oflags();
            NativeMemory.putInt(c.address() + XrcdInitAttrLayout.OFLAGS, oflags);
            long xrcd = slot(ExtendedContextLayout.OPEN_XRCD).call(base.address(), c.address());
            if (xrcd == 0 && fd != -1) {
                throw fileRefused(verb, attr, Answers.errno(-1));
            }
            return new NativeXrcDomain(base.context(), Answers.checkPointer(verb, xrcd));
        } finally {
            if (fd != -1) {
                Libc.close(fd); // the kernel keeps the inode
            }
        }
    }

    /**
     * Explains a refused file. The kernel returns EAGAIN if there is no domain to open, and EINVAL if one exists that
     * was to be new.
     */
    private static VerbsException fileRefused(String verb, XrcdInitAttr attr, int errno) {
        if (errno == Errno.EAGAIN) {
            return new VerbsException(
                    Errno.ENOENT,
                    verb,
                    "no XRC domain exists for " + attr.file() + "; set CREAT in oflags to create it");
        }
        if (errno == Errno.EINVAL && (attr.oflags() & XrcdOpenFlags.EXCL) != 0) {
            return new VerbsException(
                    Errno.EEXIST,
                    verb,
                    "an XRC domain for " + attr.file() + " already exists; leave out EXCL to share it");
        }
        return Answers.failed(verb, errno);
    }

    private static int open(String verb, Path file, int oflags) {
        byte[] path = file.toString().getBytes(StandardCharsets.UTF_8);
        try (Scratch c = new Scratch(path.length + 1)) {
            NativeMemory.putString(c.address(), path);
            int flags = Libc.O_RDWR | Libc.CLOEXEC | ((oflags & XrcdOpenFlags.CREAT) != 0 ? Libc.O_CREAT : 0);
            int fd = Libc.open(c.address(), flags, NEW_FILE_MODE);
            if (fd < 0) {
                throw new VerbsException(Libc.errno(), verb, "the domain's file " + file + " can't be opened");
            }
            return fd;
        }
    }

    private NativeFunction slot(int nativeSlot) {
        return functions.extended(nativeSlot); // not null: otherwise our slot would be empty
    }

    private void closeXrcd(XrcDomain xrcd) {
        Answers.check("close_xrcd", slot(ExtendedContextLayout.CLOSE_XRCD).call(IbvObject.addressOf(xrcd)));
    }
}
