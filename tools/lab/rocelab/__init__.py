"""The SoftRoCE lab: two machines with rdma_rxe, real traffic between them, captures and the truth beside them."""
