/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Who the device says it is: a ConnectX-5. Initialisers of struct sim_vendor. */
    .name = "mlx5",
    .device_name = "mlx5_%d",
    .modalias = "pci:v000015B3d00001017sv000015B3sd00000007bc02sc07i00",
    .driver_id = RDMA_DRIVER_MLX5,
    .abi_version = 1,
    .first_port = 1,
    .vendor_id = 0x02c9, /* the IEEE's number of Mellanox; its PCI functions have another one */
    .pci_vendor = 0x15b3,
    .pci_class = 0x020700,
    .driver = "mlx5_core",
    .part_id = 0x1017,
    .node_type = 1, /* a channel adapter */
    .frames = true,
    .qp_types = SIM_TYPE(IB_UVERBS_QPT_RAW_PACKET) | SIM_TYPE(IB_UVERBS_QPT_RC) | SIM_TYPE(IB_UVERBS_QPT_UC) |
        SIM_TYPE(IB_UVERBS_QPT_UD) | SIM_TYPE(IB_UVERBS_QPT_XRC_INI) | SIM_TYPE(IB_UVERBS_QPT_XRC_TGT) |
        SIM_TYPE(IB_UVERBS_QPT_DRIVER), /* which is DC */
