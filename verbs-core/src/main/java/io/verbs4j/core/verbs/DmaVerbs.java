/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.ContextSlot;
import io.verbs4j.DmaBuffer;
import io.verbs4j.DmaHandle;
import io.verbs4j.DmahInitAttr;
import io.verbs4j.DmahInitAttrMask;
import io.verbs4j.ExportedFd;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.slot.AllocBuf;
import io.verbs4j.slot.AllocDmah;
import io.verbs4j.slot.DeallocDmah;
import io.verbs4j.slot.ExportBufDmabufFd;
import io.verbs4j.slot.FreeBuf;
import java.util.List;

/** The library's part of the verbs about DMA: hints for the device, and buffers that the device allocates. */
final class DmaVerbs implements AllocDmah, DeallocDmah, AllocBuf, FreeBuf, ExportBufDmabufFd {
    private static final int MOST_PH = 3;

    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;

    DmaVerbs(ObjectState context, ProviderSide side, Handles handles) {
        this.context = context;
        this.side = side;
        this.handles = handles;
    }

    @Override
    public DmaHandle allocDmah(DmahInitAttr attr) {
        String verb = "alloc_dmah";
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr, 0, 0, DmahInitAttrMask::toString);
        Arguments.atLeast(verb, "cpuId", attr.cpuId(), 0);
        Arguments.range(verb, "ph", attr.ph(), 0, MOST_PH);
        AllocDmah provider = side.slot(verb, ContextSlot.ALLOC_DMAH, AllocDmah.class);
        Creation creation = handles.begin(verb, new ObjectState(context.owner(), Kind.DMAH, List.of(context)));
        try (creation) {
            return creation.done(creation.made(provider.allocDmah(attr)));
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    @Override
    public void deallocDmah(DmaHandle dmah) {
        String verb = "dealloc_dmah";
        DeallocDmah provider = side.slot(verb, ContextSlot.DEALLOC_DMAH, DeallocDmah.class);
        handles.destroy(verb, "dmah", dmah, p -> provider.deallocDmah(dmah));
    }

    @Override
    public DmaBuffer allocBuf(ProtectionDomain pd, long length) {
        String verb = "alloc_buf";
        ObjectState domain = handles.find(verb, "pd", pd);
        Arguments.atLeast(verb, "length", length, 1);
        AllocBuf provider = side.slot(verb, ContextSlot.ALLOC_BUF, AllocBuf.class);
        Creation creation = handles.begin(verb, new ObjectState(context.owner(), Kind.BUF, List.of(domain, context)));
        try (creation) {
            DmaBuffer buf = creation.made(provider.allocBuf(pd, length));
            creation.require(buf.pd() == pd, "protection domain");
            creation.require(buf.length() == length, "length than requested");
            return creation.done(buf);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    @Override
    public void freeBuf(DmaBuffer buf) {
        String verb = "free_buf";
        FreeBuf provider = side.slot(verb, ContextSlot.FREE_BUF, FreeBuf.class);
        handles.destroy(verb, "buf", buf, p -> provider.freeBuf(buf));
    }

    @Override
    public ExportedFd exportBufDmabufFd(DmaBuffer buf) {
        String verb = "export_buf_dmabuf_fd";
        ObjectState state = handles.find(verb, "buf", buf);
        ExportBufDmabufFd provider = side.slot(verb, ContextSlot.EXPORT_BUF_DMABUF_FD, ExportBufDmabufFd.class);
        return side.ask(verb, state, () -> provider.exportBufDmabufFd(buf));
    }
}
