/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Which of the seven published interfaces this library is built as: HBL_LAYOUT, by release. */
#ifndef LIBHBL_LAYOUT_H
#define LIBHBL_LAYOUT_H

#define UPSTREAM 0 /* as submitted to rdma-core */

#ifndef HBL_LAYOUT
#define HBL_LAYOUT UPSTREAM
#endif

#define HAS_COLLECTIVES (HBL_LAYOUT >= 116)
#define HAS_MIGRATE (HBL_LAYOUT >= 119)
#define MIGRATE_TAKES_TWO (HBL_LAYOUT == 119)
#define HAS_DEVICE_TEMP (HBL_LAYOUT == 119)
#define HAS_HLIBV (HBL_LAYOUT >= 116)
#define HAS_LAG_COMPLETION (HBL_LAYOUT >= 118)

/* Bytes of the structures that are not the same in all. */
#define DEVICE_ATTR_SIZE (HBL_LAYOUT >= 118 ? 32 : HBL_LAYOUT == 117 ? 24 : 16)
#define DEVICE_COUNTS_PORTS (HBL_LAYOUT >= 120) /* num_ports, where the mask was */
#define QP_ATTR_SIZE (HBL_LAYOUT >= 119 ? 56 : 48)
#define COLL_QP_ATTR_SIZE (HBL_LAYOUT >= 121 ? 16 : 1)
#define MAX_RESOURCES (HBL_LAYOUT >= 118 ? 256 : 128)
#define RESOURCES_SIZE (8 + 32 * MAX_RESOURCES)

#endif
