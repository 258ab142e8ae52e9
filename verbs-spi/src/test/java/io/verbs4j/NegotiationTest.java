/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbs4j.slot.OpenXrcd;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** How a method of the header finds an extended verb, for every size of the library's table. */
class NegotiationTest {
    private static final class Dev extends Device {
        Dev() {
            super("dev0", 1, NodeType.CA, TransportType.IB);
        }
    }

    private static final class Domain extends XrcDomain {
        Domain(Context context) {
            super(context);
        }
    }

    /** A library of level 1. */
    private static final class Old extends Context {
        Old() {
            super(new Dev(), new OpenAttr());
        }

        @Override
        protected ContextOps libraryOps() {
            throw new AssertionError("not asked for here");
        }
    }

    /** A library with a table. */
    private static final class New extends ExtendedContext {
        final ContextTable table;

        New(int size) {
            super(new Dev(), new OpenAttr());
            table = new ContextTable(size);
        }

        @Override
        protected ContextOps libraryOps() {
            throw new AssertionError("not asked for here");
        }

        @Override
        protected ContextTable table() {
            return table;
        }

        @Override
        protected void queryContext(ContextAttr attr) {
            attr.offer(ContextAttr.LIBRARY_LEVEL, 7);
            attr.offer(ContextAttr.LIBRARY_ORIGIN, "lib.jar");
            attr.offer(ContextAttr.PROVIDER_NAME, "acme");
            attr.offer(ContextAttr.PROVIDER_LEVEL, 3);
            attr.offer(ContextAttr.PROVIDER_ORIGIN, "acme.jar");
        }
    }

    private final OpenXrcd function = attr -> null;

    private static VerbsException fails(int errno, Context context) {
        VerbsException e = assertThrows(VerbsException.class, () -> context.openXrcd(new XrcdInitAttr()));
        assertEquals(errno, e.errno(), e.getMessage());
        assertEquals("open_xrcd", e.verb());
        return e;
    }

    @Test
    void verbFailsWithoutExtendedContext() {
        String message = fails(Errno.ENOSYS, new Old()).getMessage();

        assertTrue(message.contains("the library is too old: open_xrcd came with level 2"), message);
        assertTrue(message.contains("is level 1"), message);
        assertTrue(message.contains("test-classes"), message);
    }

    @Test
    void slotBeyondTableMeansOldLibrary() {
        New context = new New(0);

        String message = fails(Errno.ENOSYS, context).getMessage();

        assertTrue(message.contains("verbs-core from lib.jar is level 7"), message);
        for (int size = 0; size <= ContextSlot.COUNT + 1; size++) {
            New sized = new New(size);
            for (int slot = 0; slot < ContextSlot.COUNT; slot++) {
                if (slot < size) {
                    sized.table.fillLibrary(slot, function);
                    sized.table.fillProvider(slot, function);
                }
                assertSame(slot < size ? function : null, Extension.find(sized, slot, Object.class));
            }
        }
    }

    @Test
    void emptyLibrarySlotMeansOldLibrary() {
        New context = new New(ContextSlot.COUNT);
        context.table.fillProvider(ContextSlot.OPEN_XRCD, function);

        fails(Errno.ENOSYS, context);
    }

    @Test
    void emptyProviderSlotMeansUnsupported() {
        New context = new New(ContextSlot.COUNT);
        context.table.fillLibrary(ContextSlot.OPEN_XRCD, function);

        String message = fails(Errno.EOPNOTSUPP, context).getMessage();

        assertTrue(message.contains("the device can't: open_xrcd came with level 2"), message);
        assertTrue(message.contains("provider 'acme' of level 3 from acme.jar"), message);
    }

    @Test
    void verbCallsFunctionOfLibraryNotProvider() {
        New context = new New(ContextSlot.COUNT);
        Domain made = new Domain(context);
        context.table.fillLibrary(ContextSlot.OPEN_XRCD, (OpenXrcd) attr -> made);
        context.table.fillProvider(ContextSlot.OPEN_XRCD, (OpenXrcd) attr -> {
            throw new AssertionError("past the library");
        });

        assertSame(made, context.openXrcd(new XrcdInitAttr()));
    }

    @Test
    void providerFillsSlotsThatFit() {
        ContextTable table = new ContextTable(2);

        assertTrue(table.fillProvider(1, function));
        assertFalse(table.fillProvider(2, function), "functions unknown to an older library are omitted");
        assertFalse(table.fillProvider(-1, function));
        assertSame(function, table.provider(1));
        assertThrows(IndexOutOfBoundsException.class, () -> table.provider(2));
        assertThrows(IndexOutOfBoundsException.class, () -> table.library(-1));
    }

    @Test
    void sealedTableCannotChange() {
        ContextTable table = new ContextTable(1);
        table.seal();

        assertThrows(IllegalStateException.class, () -> table.fillLibrary(0, function));
        assertThrows(IllegalStateException.class, () -> table.fillProvider(0, function));
    }

    @Test
    void slotsHaveNamesAndLevels() {
        assertEquals("open_xrcd", ContextSlot.verb(ContextSlot.OPEN_XRCD));
        assertEquals("close_xrcd", ContextSlot.verb(ContextSlot.CLOSE_XRCD));
        assertEquals("create_srq_ex", ContextSlot.verb(ContextSlot.CREATE_SRQ_EX));
        assertEquals("get_srq_num", ContextSlot.verb(ContextSlot.GET_SRQ_NUM));
        assertEquals("create_qp_ex", ContextSlot.verb(ContextSlot.CREATE_QP_EX));
        assertEquals("open_qp", ContextSlot.verb(ContextSlot.OPEN_QP));
        assertEquals("create_cq_ex", ContextSlot.verb(ContextSlot.CREATE_CQ_EX));
        assertEquals("query_values", ContextSlot.verb(ContextSlot.QUERY_VALUES));
        assertEquals("query_device_ex", ContextSlot.verb(ContextSlot.QUERY_DEVICE_EX));
        assertEquals("modify_cq", ContextSlot.verb(ContextSlot.MODIFY_CQ));
        assertEquals("query_gid_ex", ContextSlot.verb(ContextSlot.QUERY_GID_EX));
        assertEquals("query_gid_table", ContextSlot.verb(ContextSlot.QUERY_GID_TABLE));
        assertEquals("query_qp_data_in_order", ContextSlot.verb(ContextSlot.QUERY_QP_DATA_IN_ORDER));
        assertEquals("modify_qp_rate_limit", ContextSlot.verb(ContextSlot.MODIFY_QP_RATE_LIMIT));
        assertEquals("reg_mr_ex", ContextSlot.verb(ContextSlot.REG_MR_EX));
        assertEquals("advise_mr", ContextSlot.verb(ContextSlot.ADVISE_MR));
        assertEquals("alloc_null_mr", ContextSlot.verb(ContextSlot.ALLOC_NULL_MR));
        assertEquals("alloc_mr_key", ContextSlot.verb(ContextSlot.ALLOC_MR_KEY));
        assertEquals("alloc_td", ContextSlot.verb(ContextSlot.ALLOC_TD));
        assertEquals("dealloc_td", ContextSlot.verb(ContextSlot.DEALLOC_TD));
        assertEquals("alloc_parent_domain", ContextSlot.verb(ContextSlot.ALLOC_PARENT_DOMAIN));
        assertEquals("alloc_dm", ContextSlot.verb(ContextSlot.ALLOC_DM));
        assertEquals("free_dm", ContextSlot.verb(ContextSlot.FREE_DM));
        assertEquals("reg_dm_mr", ContextSlot.verb(ContextSlot.REG_DM_MR));
        assertEquals("dm_export_dmabuf_fd", ContextSlot.verb(ContextSlot.DM_EXPORT_DMABUF_FD));
        assertEquals("import_pd", ContextSlot.verb(ContextSlot.IMPORT_PD));
        assertEquals("unimport_pd", ContextSlot.verb(ContextSlot.UNIMPORT_PD));
        assertEquals("import_mr", ContextSlot.verb(ContextSlot.IMPORT_MR));
        assertEquals("unimport_mr", ContextSlot.verb(ContextSlot.UNIMPORT_MR));
        assertEquals("import_dm", ContextSlot.verb(ContextSlot.IMPORT_DM));
        assertEquals("unimport_dm", ContextSlot.verb(ContextSlot.UNIMPORT_DM));
        assertEquals("export_device", ContextSlot.verb(ContextSlot.EXPORT_DEVICE));
        assertEquals("export_handle", ContextSlot.verb(ContextSlot.EXPORT_HANDLE));
        assertEquals("create_wq", ContextSlot.verb(ContextSlot.CREATE_WQ));
        assertEquals("modify_wq", ContextSlot.verb(ContextSlot.MODIFY_WQ));
        assertEquals("destroy_wq", ContextSlot.verb(ContextSlot.DESTROY_WQ));
        assertEquals("create_rwq_ind_table", ContextSlot.verb(ContextSlot.CREATE_RWQ_IND_TABLE));
        assertEquals("destroy_rwq_ind_table", ContextSlot.verb(ContextSlot.DESTROY_RWQ_IND_TABLE));
        assertEquals("create_flow", ContextSlot.verb(ContextSlot.CREATE_FLOW));
        assertEquals("destroy_flow", ContextSlot.verb(ContextSlot.DESTROY_FLOW));
        assertEquals("create_counters", ContextSlot.verb(ContextSlot.CREATE_COUNTERS));
        assertEquals("destroy_counters", ContextSlot.verb(ContextSlot.DESTROY_COUNTERS));
        assertEquals("attach_counters_point_flow", ContextSlot.verb(ContextSlot.ATTACH_COUNTERS_POINT_FLOW));
        assertEquals("read_counters", ContextSlot.verb(ContextSlot.READ_COUNTERS));

        assertEquals("query_comp_cntr_caps", ContextSlot.verb(ContextSlot.QUERY_COMP_CNTR_CAPS));
        assertEquals("create_comp_cntr", ContextSlot.verb(ContextSlot.CREATE_COMP_CNTR));
        assertEquals("destroy_comp_cntr", ContextSlot.verb(ContextSlot.DESTROY_COMP_CNTR));
        assertEquals("qp_attach_comp_cntr", ContextSlot.verb(ContextSlot.QP_ATTACH_COMP_CNTR));
        assertEquals("set_ece", ContextSlot.verb(ContextSlot.SET_ECE));
        assertEquals("query_ece", ContextSlot.verb(ContextSlot.QUERY_ECE));
        assertEquals("alloc_dmah", ContextSlot.verb(ContextSlot.ALLOC_DMAH));
        assertEquals("dealloc_dmah", ContextSlot.verb(ContextSlot.DEALLOC_DMAH));
        assertEquals("create_flow_action_esp", ContextSlot.verb(ContextSlot.CREATE_FLOW_ACTION_ESP));
        assertEquals("modify_flow_action_esp", ContextSlot.verb(ContextSlot.MODIFY_FLOW_ACTION_ESP));
        assertEquals("destroy_flow_action", ContextSlot.verb(ContextSlot.DESTROY_FLOW_ACTION));
        assertEquals("alloc_buf", ContextSlot.verb(ContextSlot.ALLOC_BUF));
        assertEquals("free_buf", ContextSlot.verb(ContextSlot.FREE_BUF));
        assertEquals("export_buf_dmabuf_fd", ContextSlot.verb(ContextSlot.EXPORT_BUF_DMABUF_FD));
        assertEquals("slot " + ContextSlot.COUNT, ContextSlot.verb(ContextSlot.COUNT));
        assertEquals("slot -1", ContextSlot.verb(-1));
        for (int slot = 0; slot < ContextSlot.COUNT; slot++) {
            assertEquals(slot < 6 ? 2 : slot < 25 ? 3 : 4, ContextSlot.level(slot));
        }
        assertEquals(VerbsLevel.CURRENT + 1, ContextSlot.level(ContextSlot.COUNT));
    }

    @Test
    void levelOneLibraryReportsOnlyOrigin() {
        ContextAttr attr = new Old().queryContext();

        assertEquals(1, attr.libraryLevel());
        assertEquals(0, attr.callerLevel());
        assertEquals("?", attr.providerName());
        assertEquals(0, attr.tableSize());
        assertFalse(attr.hasVerb(ContextSlot.OPEN_XRCD));
        assertTrue(Path.of(attr.libraryOrigin()).isAbsolute(), attr.libraryOrigin()); // a path, not a URL
        assertTrue(attr.libraryOrigin().endsWith("test-classes"), attr.libraryOrigin());
    }
}
